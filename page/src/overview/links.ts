// The links of chains that are missing and wrong, by kinds of mentions.

import { place } from "../address";
import { data, type Links, type SideName } from "../data";
import { make, makeSection } from "../elements";
import { counted } from "../figures";
import { makeTable, type Cell } from "../table";
import { heat, makeGuesses, ofSystem } from "./groups";

const EXPLANATION =
  "Entities as chains: each mention is linked back to one before it (Martschat & Strube 2014). " +
  "There are as many missing and wrong links as MUC counts.";

export function linksSection(): HTMLElement {
  return makeSection(
    "links",
    ["Links", ofSystem()],
    make("p", {}, EXPLANATION),
    linksTable("key", "missing", "Links of the key that the response lacks"),
    linksTable("response", "wrong", "Links of the response that the key lacks"),
    ...makeGuesses(),
  );
}

function linksTable(side: SideName, bad: string, caption: string): HTMLElement {
  const links = data.links[place.system][side];
  const antecedents = inOrder(links.map(([, antecedent]) => antecedent));
  const rows = inOrder(links.map(([anaphor]) => anaphor)).map((anaphor) => [
    anaphor,
    ...antecedents.map((antecedent) =>
      makeLinks(links.find((one) => one[0] === anaphor && one[1] === antecedent)),
    ),
  ]);
  return makeTable({
    name: `links-${bad}`,
    caption,
    columns: [
      { label: "from ↓ back to →", word: true },
      ...antecedents.map((label) => ({ label })),
    ],
    rows,
    csv: () => [["anaphor", "antecedent", "links", bad], ...links],
  });
}

/** Return each kind of mention once, in the order in which they are listed everywhere. */
const inOrder = (names: string[]): string[] =>
  [...new Set(names)].sort((a, b) => data.mentions.indexOf(a) - data.mentions.indexOf(b));

function makeLinks(links: Links | undefined): Cell {
  if (!links) return { text: "–", value: "" };
  const [, , total, bad] = links;
  return {
    text: `${counted(bad)} of ${counted(total)}`,
    value: bad,
    small: [`${((100 * bad) / total).toFixed(0)} %`],
    ...heat(bad / total),
  };
}
