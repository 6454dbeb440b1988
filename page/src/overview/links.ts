// The missing and wrong links of chains, by kinds of mentions.

import { place } from "../address";
import { data, worded, type Links, type SideName } from "../data";
import { make, makeSection } from "../elements";
import { counted } from "../figures";
import { makeTable, type Cell } from "../table";
import { heat, makeGuesses, ofSystem } from "./groups";

const EXPLANATION =
  "Each entity is a chain of links from a mention back to an earlier one (Martschat & Strube 2014). " +
  "The numbers of missing and wrong links are those that MUC counts.";

export function linksSection(): HTMLElement {
  return makeSection(
    "links",
    ["Links", ...ofSystem()],
    make("p", {}, worded(EXPLANATION)),
    linksTable("key", "missing", worded("Links of the key that are missing from the response")),
    linksTable("response", "wrong", worded("Links of the response that are not in the key")),
    ...makeGuesses(),
  );
}

function linksTable(side: SideName, bad: string, caption: string): HTMLElement {
  const links = data.links[place.system][side];
  const antecedents = inOrder(links.map(([, antecedent]) => antecedent));
  const rows = inOrder(links.map(([anaphor]) => anaphor)).map((anaphor) => [
    kindOf(anaphor),
    ...antecedents.map((antecedent) =>
      makeLinks(links.find((one) => one[0] === anaphor && one[1] === antecedent)),
    ),
  ]);
  return makeTable({
    name: `links-${bad}`,
    caption,
    columns: [
      { label: data.records ? "links" : "from ↓ back to →", word: true },
      ...antecedents.map((antecedent) => ({ label: kindOf(antecedent) })),
    ],
    rows,
    csv: () => [["anaphor", "antecedent", "links", bad], ...links],
  });
}

const kindOf = (name: string): string => (data.records ? "all" : name); // records have no kinds

/** Return the distinct kinds of mentions, in the order of all lists. */
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
