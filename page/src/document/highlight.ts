// What the mouse or the keyboard points at: an entity of the key has a background, one of the
// response a line below.

import { piecesOf, quote } from "../content";
import { data, type SideName } from "../data";
import { byId, make, say } from "../elements";
import { plural } from "../figures";
import { lineOfElement } from "./layout";
import { mentionsAt, type Line, type Opened } from "./opened";

const TOLD = 6; // mentions of an entity that are quoted

export interface Pointed {
  line: Line;
  name: SideName;
  mention: number;
}

/** Find the mentions that an element stands for: that of a bracket, those around a word. */
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
  light(opened, pointedAt(opened, target));
}

/** Light up the entities of mentions, and no others. */
export function light(opened: Opened, mentions: Pointed[]): void {
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
  const whose = name === "key" ? "key" : data.systems[line.system];
  const quoted = members.slice(0, TOLD).map((member) => quote(content, side, member));
  const more = members.length > TOLD ? ", …" : "";
  return (
    `${whose} entity ${side.labels[entity]} (${side.ids[entity]}), ` +
    `${plural(members.length, "mention")}: ${quoted.join(", ")}${more}`
  );
}

/** Move the focus to the next mention or the one before, and tell of it. */
export function stepMention(opened: Opened, by: number): void {
  const mentions = [...byId("text").querySelectorAll<HTMLElement>(".b[role=button]")];
  if (!mentions.length) return;
  const at = mentions.indexOf(document.activeElement as HTMLElement);
  const visible = mentions.find((one) => one.getBoundingClientRect().top >= 100) ?? mentions[0];
  const mention = at < 0 ? visible : mentions[(at + by + mentions.length) % mentions.length];
  mention.focus();
  mention.scrollIntoView({ block: "nearest" });
  point(opened, mention);
  say(byId("info").textContent);
}
