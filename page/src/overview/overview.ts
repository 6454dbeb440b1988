// The overview of the corpus as a whole.

import { place } from "../address";
import { several } from "../data";
import { byId, make } from "../elements";
import { differencesSection } from "./differences";
import { documentsSection } from "./documents";
import { groupsSection } from "./groups";
import { linksSection } from "./links";
import { repairsSection } from "./repairs";
import { scoresSection } from "./scores";

export function showOverview(): void {
  const sections = [
    scoresSection(),
    repairsSection(),
    groupsSection(),
    linksSection(),
    documentsSection(),
  ];
  if (several) sections.splice(1, 0, differencesSection());
  if (place.missing !== null) {
    const name = place.missing || "without a name";
    sections.unshift(make("p", { role: "alert" }, `There is no document ${name}.`));
  }
  byId("overview").replaceChildren(...sections);
}
