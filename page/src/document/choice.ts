// The chosen error in the list, in the text and in the address.

import { go, place, stay } from "../address";
import { piecesOf, type Side } from "../content";
import { kindName } from "../data";
import { announce, byId } from "../elements";
import { errorsOf, messageOf, type PageError } from "../errors";
import { setFilters } from "./filters";
import { point, pointedAt } from "./highlight";
import { layOutTo } from "./layout";
import { fillList, PAGE, showCount } from "./list";
import type { Opened } from "./opened";

/** Choose an error by its number, or none. Do not announce it if `quiet`. */
export function choose(opened: Opened, number: number | null, quiet = false): void {
  const errors = errorsOf(opened.content, place.system);
  const error = errors.find((one) => one.number === number) ?? null;
  if (number !== null && !error) announce(`there is no error ${number} in this document`);
  opened.chosen = error;
  stay({ error: error && error.number });
  if (error) list(opened, error);
  const current = byId("error-list").querySelectorAll('[aria-current="true"]');
  current.forEach((one) => one.removeAttribute("aria-current"));
  paint(opened, error);
  showCount(opened);
  if (!error) return;
  scrollTo(opened, error);
  if (!quiet) announce(`${kindName(error.kind)}: ${messageOf(opened.content, error)}`);
}

/** Show the page of the list with the error; reset filters that exclude it. */
function list(opened: Opened, error: PageError): void {
  if (!opened.listed.includes(error)) {
    stay({ hide: place.hide.filter((kind) => kind !== error.kind), only: false });
    setFilters();
    fillList(opened);
  }
  const at = opened.listed.indexOf(error);
  if (at < opened.from || at >= opened.from + PAGE) fillList(opened, Math.floor(at / PAGE) * PAGE);
}

/** Mark the mentions of an error in the text. */
function paint(opened: Opened, error: PageError | null): void {
  opened.painted.clear();
  if (!error) return;
  if (error.other !== null) paintMention(opened, error.otherSide, error.other, "other");
  for (const mention of error.mentions) paintMention(opened, error.side, mention, "wrong");
}

function paintMention(opened: Opened, side: Side, mention: number, mark: string): void {
  for (const [first, last] of piecesOf(side, mention)) {
    layOutTo(opened, last);
    for (const word of opened.lines[0].words.slice(first, last + 1)) opened.painted.add(word, mark);
  }
}

/** Scroll list and text to an error. */
function scrollTo(opened: Opened, error: PageError): void {
  const list = byId("error-list");
  const item = list.querySelector(`[data-n="${error.number}"]`)!;
  item.setAttribute("aria-current", "true");
  list.scrollTop +=
    item.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
  opened.lines[0].words[error.first].scrollIntoView({ block: "center" });
}

/** Choose the next or previous error of the list, wrapping around at the ends. */
export function stepError(opened: Opened, by: number): void {
  const { listed, chosen } = opened;
  if (!listed.length) return;
  const at = chosen ? listed.indexOf(chosen) : -1;
  const start = at < 0 && by < 0 ? 0 : at;
  choose(opened, listed[(start + by + listed.length) % listed.length].number);
}

/** Choose the errors of a mention one after another, or highlight its entity if it has none. */
export function pressMention(opened: Opened, target: EventTarget | null): void {
  for (const { line, name, mention } of pointedAt(opened, target)) {
    const errors = line.badges[name].get(mention);
    if (!errors) continue;
    if (line.system === place.system) {
      const after = errors.findIndex((error) => error === opened.chosen) + 1;
      choose(opened, errors[after % errors.length].number);
    } else {
      // The second response becomes the first.
      go({ system: line.system, second: place.system, error: errors[0].number });
    }
    return;
  }
  point(opened, target);
}
