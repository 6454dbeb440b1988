// The list of the errors of a document.

import { place } from "../address";
import { piecesOf, sentenceOf } from "../content";
import { data } from "../data";
import { byId, make } from "../elements";
import { errorsOf, groupOf, makeCode, messageOf, type PageError } from "../errors";
import { counted } from "../figures";
import type { Opened } from "./opened";

export const PAGE = 100; // errors shown in the list at a time

/** Fill the list with at most `room` errors, starting with number `from`. */
export function fillList(opened: Opened, from = 0, room = PAGE): void {
  const listed = (opened.listed = filteredErrors(opened));
  opened.from = from;
  const to = Math.min(from + room, listed.length);
  const items = listed.slice(from, to).map((error) => makeItem(opened, error));
  if (from > 0) {
    const text = `Previous ${Math.min(PAGE, from)}`;
    items.unshift(makeTurn(opened, Math.max(0, from - PAGE), "fewer-errors", text));
  }
  if (to < listed.length) {
    const text = `Next ${Math.min(PAGE, listed.length - to)} of ${counted(listed.length)}`;
    items.push(makeTurn(opened, from + PAGE, "more-errors", text));
  }
  byId("error-list").replaceChildren(...items.map((item) => make("li", {}, item)));
  showCount(opened);
}

/** Show the position of the chosen error in the list, and the number of errors. */
export function showCount({ listed, chosen }: Opened): void {
  const at = chosen ? listed.indexOf(chosen) : -1;
  byId("error-count").textContent =
    at < 0 ? ` of ${listed.length}` : ` ${at + 1} of ${listed.length}`;
}

/** Return the errors that pass the filters by kind and by the second response. */
function filteredErrors({ content }: Opened): PageError[] {
  const second = place.only && place.second !== null ? errorsOf(content, place.second) : [];
  const others = new Set(second.map(nameError));
  return errorsOf(content, place.system).filter(
    (error) => !place.hide.includes(error.kind) && !(others.size && others.has(nameError(error))),
  );
}

/** Return the identity of an error across responses: its kind and its mentions. */
const nameError = (error: PageError): string =>
  `${error.kind} ${error.mentions.map((mention) => piecesOf(error.side, mention)).join(";")}`;

function makeItem(opened: Opened, error: PageError): HTMLElement {
  const current = error === opened.chosen ? "true" : null;
  return make(
    "button",
    { type: "button", class: "error", "data-n": error.number, "aria-current": current },
    makeCode(error.kind),
    ` ${messageOf(opened.content, error)}`,
    make("small", {}, describeError(opened, error)),
  );
}

function makeTurn(opened: Opened, from: number, id: string, text: string): HTMLElement {
  const turn = () => {
    fillList(opened, from);
    byId("error-list").scrollTop = 0;
  };
  return make("button", { type: "button", class: "error", id, onclick: turn }, text);
}

function describeError({ number, content }: Opened, error: PageError): string {
  const inText = data.documents[number].words !== null;
  const head = groupOf(error, "head");
  const parts = [
    inText ? `sentence ${sentenceOf(content, error.first) + 1}` : "",
    data.records ? "" : groupOf(error, "mention"),
    describeDistance(groupOf(error, "distance")),
    head === "–" ? "" : `heads ${head}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

function describeDistance(sentences: string): string {
  if (sentences === "–") return "";
  if (sentences === "0") return "same sentence";
  return `${sentences} ${sentences === "1" ? "sentence" : "sentences"} apart`;
}
