// The numbers of errors by kind and by one of their properties.

import { addressOf, place, stay } from "../address";
import { data, several, shownGroupings, shownKinds } from "../data";
import { make, makeControls, makeSection, makeSelect, redraw, type Child } from "../elements";
import { kindCell } from "../errors";
import { counted } from "../figures";
import { nameOf } from "../systems";
import { makeTable, type Cell } from "../table";

export function groupsSection(): HTMLElement {
  const { labels, table } = data.groups[place.system][place.by];
  const most = Math.max(1, ...table.flat());
  const rows = shownKinds.map((kind) => {
    const counts = table[kind];
    const cells = counts.map((count, number) =>
      makeCount(count, kind, labels[number], heat(count / most)),
    );
    const sum = counts.reduce((a, b) => a + b, 0);
    return [kindCell(kind), ...cells, makeCount(sum, kind, "", {})];
  });
  return makeSection(
    "groups",
    ["Kinds of errors", ...ofSystem()],
    make("p", {}, "Each number links to the errors that it counts."),
    makeControls(
      makeSelect(
        "Group by",
        "by",
        shownGroupings.map((by) => data.grouped[by]),
        shownGroupings.indexOf(place.by),
        (chosen) => {
          stay({ by: shownGroupings[chosen] });
          redraw(groupsSection());
        },
      ),
    ),
    makeTable({
      name: "errors-by-kind",
      caption: `Errors by kind and ${data.grouped[place.by]}`,
      columns: [
        { label: "errors", word: true },
        ...labels.map((label) => ({ label })),
        { label: "all" },
      ],
      rows,
    }),
    ...(["mention", "other"].includes(place.by) ? makeGuesses() : []),
  );
}

/** Return the end of a heading that names the response, if there are several. */
export const ofSystem = (): Child[] => (several ? [" of ", nameOf(place.system)] : []);

/** Make a number that links to the errors that it counts. */
function makeCount(count: number, kind: number, label: string, look: object): Cell {
  const href = addressOf({ view: "errors", kind, label, by: place.by });
  return {
    value: count,
    node: count ? make("a", { class: "count", href }, counted(count)) : "0",
    ...look,
  };
}

/** Return the style of a cell whose background is stronger for larger shares. */
export const heat = (share: number): { class: string; style: string } => ({
  class: "heat",
  style: `--h:${(0.45 * share).toFixed(3)}`,
});

/** Make the remarks on kinds of mentions that are not in the files and were guessed. */
export const makeGuesses = (): HTMLElement[] =>
  data.guesses[place.system].map((note) => make("p", { class: "faint" }, `Note: ${note}.`));
