// Keyboard shortcuts.

import { go, place } from "./address";
import { data, several, worded } from "./data";
import { choose, pressMention, stepError } from "./document/choice";
import { find } from "./document/find";
import { highlight, stepMention } from "./document/highlight";
import { opened, type Opened } from "./document/opened";
import { byId, make } from "./elements";

/** Keys that belong together: how the help lists them, when they are active, and their actions. */
interface Keys {
  names: string;
  what: string;
  active: () => boolean;
  actions: Record<string, () => void>;
}

const always = () => true;
const inDocument = () => opened !== null;

/** Return an action on the open document. */
const onOpened = (act: (opened: Opened) => void) => () => {
  if (opened) act(opened);
};

const KEYS: Keys[] = [
  {
    names: "j, k",
    what: "go to the next or the previous error",
    active: inDocument,
    actions: { j: onOpened((one) => stepError(one, 1)), k: onOpened((one) => stepError(one, -1)) },
  },
  {
    names: "m, M",
    what: "go to the next or the previous mention; Enter shows its error",
    active: inDocument,
    actions: {
      m: onOpened((one) => stepMention(one, 1)),
      M: onOpened((one) => stepMention(one, -1)),
    },
  },
  {
    names: "n, p",
    what: "go to the next or the previous document (in the order of the table)",
    active: inDocument,
    actions: { n: () => byId("next-document").click(), p: () => byId("previous-document").click() },
  },
  {
    names: "1, 2, 3",
    what: "show the key, the response, or both",
    active: inDocument,
    actions: {
      1: () => go({ show: "key" }),
      2: () => go({ show: "response" }),
      3: () => go({ show: "both" }),
    },
  },
  {
    names: "s",
    what: "show the next response",
    active: () => several,
    actions: { s: goToNextSystem },
  },
  {
    names: "/",
    what: `find ${data.records ? "records" : "words"} in a document, or documents by name`,
    active: () => place.view !== "errors",
    actions: { "/": () => byId(place.view === "document" ? "find" : "filter").focus() },
  },
  { names: "o", what: "go to the overview", active: always, actions: { o: goToOverview } },
  {
    names: "Esc",
    what: "clear the selection and the search",
    active: inDocument,
    actions: { Escape: onOpened(clearChoice) },
  },
  { names: "?", what: "show this list", active: always, actions: { "?": showHelp } },
];

function goToNextSystem(): void {
  const system = (place.system + 1) % data.systems.length;
  go({ system, second: place.second === system ? place.system : place.second, error: null });
}

export function goToOverview(): void {
  go({ view: "overview", document: null, error: null });
}

function clearChoice(opened: Opened): void {
  choose(opened, null, true);
  clearFind(opened);
  highlight(opened, []);
}

function clearFind(opened: Opened): void {
  find(opened, "");
  byId<HTMLInputElement>("find").value = "";
}

export function showHelp(): void {
  byId<HTMLDialogElement>("help").showModal();
}

/** Make the rows of the list of shortcuts. */
export const makeKeyRows = (): HTMLElement[] =>
  KEYS.map(({ names, what }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("kbd", {}, names)),
      make("td", {}, worded(what)),
    ),
  );

export function pressKey(event: KeyboardEvent): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || byId<HTMLDialogElement>("help").open)
    return;
  if (target.matches("input[type=search], textarea")) {
    if (event.key === "Escape") leaveField(target as HTMLElement);
    return;
  }
  // In a select, letters choose an option.
  if (target.matches("select") && event.key.length === 1 && event.key !== "?") return;
  const action =
    target.matches(".b") && isPress(event)
      ? onOpened((one) => pressMention(one, target))
      : actionOf(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}

const isPress = (event: KeyboardEvent): boolean => event.key === "Enter" || event.key === " ";

function actionOf(key: string): (() => void) | undefined {
  return KEYS.find(({ active, actions }) => Object.hasOwn(actions, key) && active())?.actions[key];
}

function leaveField(field: HTMLElement): void {
  if (field.id === "find" && opened) clearFind(opened);
  field.blur();
}
