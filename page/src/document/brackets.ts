// Mentions as brackets: [ ] of the key, ‹ › of the response.

import { piecesOf, type Content, type Side } from "../content";
import { kindName, worded, type SideName } from "../data";
import { make } from "../elements";
import { errorsOf, makeCode } from "../errors";
import { shownSides, type Line } from "./opened";

export interface Bracket {
  name: SideName;
  mention: number;
  length: number;
}

/** The brackets that open before each word and close after it. */
export interface Brackets {
  opens: Map<number, Bracket[]>;
  closes: Map<number, Bracket[]>;
}

const SIGNS = { key: ["[", "]"], response: ["‹", "›"] };

/** Return the errors of each mention: of the key if it is missing, else of the response. */
export function badgesOf(content: Content, system: number): Line["badges"] {
  const badges: Line["badges"] = { key: new Map(), response: new Map() };
  for (const error of errorsOf(content, system)) {
    const own = badges[error.side === content.key ? "key" : "response"];
    for (const mention of error.mentions) append(own, mention, error);
  }
  return badges;
}

function append<Item>(lists: Map<number, Item[]>, at: number, item: Item): void {
  const list = lists.get(at);
  if (list) list.push(item);
  else lists.set(at, [item]);
}

/** Return the brackets of a line: outer mentions first, with key brackets around response ones. */
export function bracketsOf(sides: Record<SideName, Side>): Brackets {
  const opens: Brackets["opens"] = new Map();
  const closes: Brackets["closes"] = new Map();
  for (const name of shownSides()) {
    const side = sides[name];
    for (const mention of side.first.keys()) {
      for (const [first, last] of piecesOf(side, mention)) {
        const bracket = { name, mention, length: last - first };
        append(opens, first, bracket);
        append(closes, last, bracket);
      }
    }
  }
  const rank = (bracket: Bracket) => (bracket.name === "key" ? 0 : 1);
  for (const list of opens.values()) list.sort((a, b) => b.length - a.length || rank(a) - rank(b));
  for (const list of closes.values()) list.sort((a, b) => a.length - b.length || rank(b) - rank(a));
  return { opens, closes };
}

/** Make an opening bracket, with the number of its entity and the codes of its errors. */
export function makeOpening(line: Line, { name, mention }: Bracket): HTMLElement {
  const errors = line.badges[name].get(mention) ?? [];
  const label = labelOf(line, name, mention);
  const kinds = errors.map((error) => `, ${kindName(error.kind)}`);
  return makeBracket(
    line,
    name,
    mention,
    {
      tabindex: -1,
      role: "button",
      "aria-label": `${worded(`${name} entity`)} ${label}${kinds.join("")}`,
    },
    SIGNS[name][0],
    make("sub", {}, label),
    ...errors.map((error) => makeCode(error.kind)),
  );
}

export const makeClosing = (line: Line, { name, mention }: Bracket): HTMLElement =>
  makeBracket(line, name, mention, { "aria-hidden": "true" }, SIGNS[name][1]);

function makeBracket(
  line: Line,
  name: SideName,
  mention: number,
  properties: Record<string, string | number>,
  ...children: (string | Node)[]
): HTMLElement {
  const side = line.sides[name];
  const colour = side.colours[side.entity[mention]];
  const look = { class: `b ${name} C${colour}`, "data-m": mention, "data-side": name };
  return make("span", { ...look, ...properties }, ...children);
}

function labelOf(line: Line, name: SideName, mention: number): string {
  const side = line.sides[name];
  return side.labels[side.entity[mention]];
}
