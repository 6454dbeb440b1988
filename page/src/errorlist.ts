// All errors of a response, by kind and group.

import { addressOf, currentAddress, go, place } from "./address";
import {
  contentOf,
  endOf,
  joinWords,
  piecesOf,
  sentenceOf,
  spaceBefore,
  type Content,
} from "./content";
import { data, kindName, several, shownGroupings, shownKinds, titleOf } from "./data";
import { byId, make, makeControls, makeSelect } from "./elements";
import {
  errorRows,
  errorsOf,
  groupOf,
  makeCode,
  messageOf,
  type PageError,
  type PlacedError,
} from "./errors";
import { plural } from "./figures";
import { nameOf } from "./systems";
import { makeDownload } from "./table";

const BATCH = 100; // errors shown at a time
const CONTEXT = 25; // words before and after a mention

/** The number of errors that were shown, and the scroll position. */
interface Reading {
  shown: number;
  scroll: number;
}

const left = new Map<string, Reading>(); // keyed by address
let shown = 0; // of the list on the page

/** Store the reader's position before leaving the list. */
export function leaveErrorList(): void {
  left.set(currentAddress(), { shown, scroll: scrollY });
}

/** Restore the reader's position in this list, and return whether one was stored. */
export function returnToErrorList(): boolean {
  const reading = left.get(currentAddress());
  if (reading) scrollTo(0, reading.scroll);
  return reading !== undefined;
}

export function showErrorList(): void {
  const errors = chosenErrors();
  const list = make("ol", { class: "found" });
  const more = make("button", { type: "button", onclick: () => showMore() }, "Show more");
  shown = 0;
  function showMore(): void {
    list.append(...errors.slice(shown, shown + BATCH).map(makeItem));
    shown = Math.min(errors.length, shown + BATCH);
    more.hidden = shown >= errors.length;
  }
  const before = left.get(currentAddress())?.shown ?? 0;
  do showMore();
  while (shown < Math.min(before, errors.length));
  byId("errors").replaceChildren(
    make(
      "section",
      {},
      make("p", {}, make("a", { href: addressOf({ view: "overview" }) }, "← Overview")),
      make(
        "h2",
        { id: "errors-title" },
        ...(several ? [nameOf(place.system), ": "] : []),
        nameChoice(),
      ),
      makeControls(
        ...makeChoices(),
        makeDownload("errors", () => errorRows(errors)),
      ),
      make("p", { class: "faint" }, plural(errors.length, "error")),
      list,
      more,
    ),
  );
}

function chosenErrors(): PlacedError[] {
  const { system, kind, by, label } = place;
  const isChosen = (error: PageError) =>
    (kind === null || error.kind === kind) && (label === "" || groupOf(error, by) === label);
  return data.documents.flatMap((_, document) => {
    const content = contentOf(document);
    return errorsOf(content, system)
      .filter(isChosen)
      .map((error) => ({ document, content, error }));
  });
}

function nameChoice(): string {
  const kind = place.kind === null ? "all errors" : data.plurals[place.kind];
  return place.label === "" ? kind : `${kind}, ${data.grouped[place.by]}: ${place.label}`;
}

function makeChoices(): HTMLElement[] {
  const { by, kind, label } = place;
  const there = data.groups[place.system][by].labels;
  // The chosen label may occur only in another response; it must be an option to be shown.
  const labels = label === "" || there.includes(label) ? there : [...there, label];
  return [
    makeSelect(
      "Kind",
      "errors-kind",
      ["all", ...shownKinds.map(kindName)],
      kind === null ? 0 : shownKinds.indexOf(kind) + 1,
      (number) => go({ kind: number ? shownKinds[number - 1] : null }),
    ),
    makeSelect(
      "Property",
      "errors-by",
      shownGroupings.map((one) => data.grouped[one]),
      shownGroupings.indexOf(by),
      (number) => go({ by: shownGroupings[number], label: "" }),
    ),
    makeSelect(
      "Value",
      "errors-label",
      ["any", ...labels],
      label === "" ? 0 : 1 + labels.indexOf(label),
      (number) => go({ label: number ? labels[number - 1] : "" }),
    ),
  ];
}

function makeItem({ document, content, error }: PlacedError): HTMLElement {
  return make(
    "li",
    {},
    makeCode(error.kind),
    " ",
    make("a", { href: addressOf({ document, error: error.number }) }, messageOf(content, error)),
    make("br"),
    makeContext(content, error),
    make("br"),
    make("small", { class: "faint" }, describePlace(document, error)),
  );
}

/** Return the document of an error, and the kind of its mentions unless they are records. */
const describePlace = (document: number, error: PageError): string =>
  titleOf(document) + (data.records ? "" : `, ${groupOf(error, "mention")}`);

/** Make the context of an error, with its first mention marked. */
function makeContext(content: Content, error: PageError): HTMLElement {
  const [first, last] = piecesOf(error.side, error.mentions[0])[0];
  const sentence = sentenceOf(content, first);
  const [begin, end] = [content.starts[sentence], endOf(content, sentence) - 1];
  const from = Math.max(begin, first - CONTEXT);
  const to = Math.min(end, last + CONTEXT);
  return make(
    "q",
    {},
    from > begin ? "… " : "",
    first > from ? joinWords(content, from, first - 1) + spaceBefore(content, first) : "",
    make("mark", {}, joinWords(content, first, last)),
    last < to ? spaceBefore(content, last + 1) + joinWords(content, last + 1, to) : "",
    to < end ? " …" : "",
  );
}
