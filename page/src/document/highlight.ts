// The entities that the mouse or the keyboard points at. An entity of the key is shown by a
// background colour, an entity of the response by underlining.

import { piecesOf, quote } from "../content";
import { data, worded, type SideName } from "../data";
import { announce, byId, make } from "../elements";
import { plural } from "../figures";
import { lineOfElement } from "./layout";
import { mentionsAt, type Line, type Opened } from "./opened";

const QUOTED = 6; // mentions per entity

export interface Pointed {
  line: Line;
  name: SideName;
  mention: number;
}

/** Find the mentions of an element: the mention of a bracket, or the mentions around a word. */
export function pointedAt(opened: Opened, target: EventTarget | null): Pointed[] {
  const element =
    target instanceof Element ? target.closest<HTMLElement>("[data-m], [data-w]") : null;
  const row = element?.closest(".line");
  const line = row && lineOfElement.get(row);
  if (!element || !line) return [];
  const {
    m: mention,
    w: word,
    side,
  } = element.dataset as { m?: string; w?: string; side?: SideName };
  if (mention !== undefined) return [{ line, name: side!, mention: Number(mention) }];
  return mentionsAt(line, Number(word), opened.content.words.length).map((found) => ({
    line,
    ...found,
  }));
}

export function point(opened: Opened, target: EventTarget | null): void {
  highlight(opened, pointedAt(opened, target));
}

/** Highlight the entities of these mentions, and no others. */
export function highlight(opened: Opened, mentions: Pointed[]): void {
  opened.lit.clear();
  for (const { line, name, mention } of mentions) {
    const side = line.sides[name];
    for (const member of side.members[side.entity[mention]]) {
      for (const [first, last] of piecesOf(side, member)) {
        const words = line.words.slice(first, last + 1);
        words.forEach((word) => opened.lit.add(word, `lit-${name}`));
      }
    }
  }
  byId("info").replaceChildren(
    ...mentions.map((one) => make("div", {}, describeEntity(opened, one))),
  );
}

function describeEntity({ content }: Opened, { line, name, mention }: Pointed): string {
  const side = line.sides[name];
  const entity = side.entity[mention];
  const members = side.members[entity];
  const whose = name === "key" ? worded("key") : data.labels[line.system];
  const quoted = members.slice(0, QUOTED).map((member) => quote(content, side, member));
  const more = members.length > QUOTED ? ", …" : "";
  return (
    `${whose} ${worded("entity")} ${side.labels[entity]} (${side.ids[entity]}), ` +
    `${plural(members.length, worded("mention"))}: ${quoted.join(", ")}${more}`
  );
}

/** Move the focus to the next or previous mention, and announce it. */
export function stepMention(opened: Opened, by: number): void {
  const mentions = [...byId("text").querySelectorAll<HTMLElement>(".b[role=button]")];
  if (!mentions.length) return;
  const at = mentions.indexOf(document.activeElement as HTMLElement);
  const visible = mentions.find((one) => one.getBoundingClientRect().top >= 100) ?? mentions[0];
  const mention = at < 0 ? visible : mentions[(at + by + mentions.length) % mentions.length];
  mention.focus();
  mention.scrollIntoView({ block: "nearest" });
  point(opened, mention);
  announce(byId("info").textContent);
}
