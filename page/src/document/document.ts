// One document: its text with brackets, and its errors.

import { addressOf, go, place } from "../address";
import { contentOf } from "../content";
import { data, metricTitles, several, titleOf, worded } from "../data";
import { byId, make, makeControls, makeSearch, type Child } from "../elements";
import { errorRows } from "../errors";
import { percent, plural } from "../figures";
import { documentOrder } from "../overview/documents";
import { makeDownload } from "../table";
import { badgesOf, bracketsOf } from "./brackets";
import { choose, pressMention, stepError } from "./choice";
import { makeFilters, setFilters } from "./filters";
import { find, markHits, nextHit } from "./find";
import { highlight, point } from "./highlight";
import { isLaidOut, layOut, piecesOfText } from "./layout";
import { fillList } from "./list";
import { Marks, opened as current, setOpened, type Line, type Opened } from "./opened";

const SHOWN = ["key", "response", "both"] as const;

/** Show the document of the address. If it is shown already, update only filters and choice. */
export function showDocument(number: number): void {
  const systems = place.second === null ? [place.system] : [place.system, place.second];
  const shows = `${number} ${systems} ${place.show}`;
  if (current?.shows === shows) {
    setFilters();
    fillList(current);
    choose(current, place.error, true);
    return;
  }
  const opened = open(number, systems, shows, current?.query ?? "");
  setOpened(opened);
  byId("document").replaceChildren(
    make("p", {}, make("a", { href: addressOf({ document: null, error: null }) }, "← Overview")),
    makeTitle(number, systems),
    makeTools(opened),
    makeControls(...makeFind(opened)),
    make("div", { class: "split" }, makeText(opened), makePanel(opened)),
  );
  layOut(opened);
  fillList(opened);
  if (opened.query) find(opened, opened.query, place.error === null);
  choose(opened, place.error, true);
  layOutRest(opened);
}

function open(number: number, systems: number[], shows: string, query: string): Opened {
  const content = contentOf(number);
  const lines = systems.map((system): Line => {
    const sides = { key: content.key, response: content.responses[system] };
    const badges = badgesOf(content, system);
    return { system, sides, badges, brackets: bracketsOf(sides), words: [], cover: null };
  });
  return {
    shows,
    number,
    content,
    lines,
    pieces: piecesOfText(content),
    next: 0,
    listed: [],
    from: 0,
    chosen: null,
    query,
    hits: [],
    hit: -1,
    lit: new Marks(),
    painted: new Marks(),
    found: new Marks(),
  };
}

/** Lay out the rest of the text in the background. */
function layOutRest(opened: Opened): void {
  if (isLaidOut(opened)) {
    byId("text").dataset["done"] = "true";
    return;
  }
  setTimeout(() => {
    if (current !== opened) return;
    layOut(opened);
    if (opened.query) markHits(opened);
    layOutRest(opened);
  }, 0);
}

function makeTitle(number: number, systems: number[]): HTMLElement {
  const { words, mentions, scores } = data.documents[number];
  const metric = metricTitles[data.headline];
  const scored = systems.map((system) => {
    const score = `${metric} ${percent(scores[system][data.headline])}`;
    return several ? `${data.labels[system]}: ${score}` : score;
  });
  const counts = [
    words === null ? "" : plural(words, "word"),
    plural(mentions, data.records ? "true record" : "key mention"),
  ];
  const about = `${counts.filter(Boolean).join(", ")} · ${scored.join(" · ")}`;
  return make(
    "div",
    { class: "place" },
    make("h2", { id: "document-name" }, titleOf(number)),
    make("span", { class: "faint" }, about),
  );
}

function makeTools(opened: Opened): HTMLElement {
  const order = documentOrder();
  const at = order.indexOf(opened.number);
  const toDocument = (place: number, id: string, label: string, text: string) =>
    makeStep(id, label, text, order[place] === undefined, () =>
      go({ document: order[place], error: null }),
    );
  const toError = (by: number, id: string, label: string, text: string) =>
    makeStep(id, label, text, false, () => stepError(opened, by));
  return make(
    "div",
    { class: "tools bar-controls" },
    make(
      "span",
      { class: "together" },
      toDocument(at - 1, "previous-document", "Previous document", "←"),
      " document ",
      toDocument(at + 1, "next-document", "Next document", "→"),
    ),
    make(
      "span",
      { class: "together" },
      toError(-1, "previous-error", "Previous error", "←"),
      " error ",
      toError(1, "next-error", "Next error", "→"),
      make("span", { id: "error-count", class: "faint" }),
    ),
    make("fieldset", {}, make("legend", {}, "Show"), ...SHOWN.map(makeShow)),
  );
}

const makeStep = (
  id: string,
  label: string,
  text: string,
  disabled: boolean,
  onclick: () => void,
): HTMLElement =>
  make("button", { type: "button", id, disabled, "aria-label": label, onclick }, text);

function makeShow(show: (typeof SHOWN)[number]): HTMLElement {
  const checked = place.show === show;
  const onchange = () => go({ show });
  const button = make("input", {
    type: "radio",
    name: "show",
    id: `show-${show}`,
    value: show,
    checked,
    onchange,
  });
  return make("label", {}, button, ` ${worded(show)}`);
}

function makeFind(opened: Opened): Child[] {
  const onkeydown = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== "Enter") return;
    event.preventDefault();
    nextHit(opened, event.shiftKey ? -1 : 1);
  };
  const sample = [
    "[",
    make("sub", {}, "1"),
    worded(" key ]  ‹"),
    make("sub", {}, "1"),
    worded(" response ›"),
  ];
  return [
    makeSearch("Find", "find", opened.query, (text) => find(opened, text), { onkeydown }),
    make("span", { id: "hits", class: "faint" }),
    make("span", { class: "faint" }, ...sample),
  ];
}

function makeText(opened: Opened): HTMLElement {
  const text = make("div", { class: "text", id: "text" });
  text.addEventListener("mouseover", (event) => point(opened, event.target));
  text.addEventListener("mouseleave", () => highlight(opened, []));
  text.addEventListener("click", (event) => pressMention(opened, event.target));
  return text;
}

function makePanel(opened: Opened): HTMLElement {
  const { number, content } = opened;
  const rows = () =>
    errorRows(opened.listed.map((error) => ({ document: number, content, error })));
  const list = make("ol", { id: "error-list", tabindex: -1 });
  list.addEventListener("click", ({ target }) => {
    const item = (target as Element).closest<HTMLElement>("[data-n]");
    if (item) choose(opened, Number(item.dataset["n"]));
  });
  return make(
    "aside",
    { class: "panel", "aria-label": "Errors" },
    ...makeFilters(opened),
    make("p", { class: "bar-controls" }, makeDownload("document-errors", rows)),
    list,
    make("div", { class: "info", id: "info" }),
  );
}
