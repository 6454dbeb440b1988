// The state of the page. All of it is in the address, so that any view can be linked to.

import { data, several, shownGroupings, type SideName } from "./data";

const GROUPING = data.records ? "size" : "mention"; // records have no kinds

export type View = "overview" | "errors" | "document";

export interface Place {
  view: View;
  document: number | null;
  missing: string | null; // the name of a requested document that does not exist
  system: number;
  second: number | null; // the second response
  error: number | null;
  show: SideName | "both";
  hide: number[]; // kinds of errors
  only: boolean; // show only errors that the second response does not make
  metric: number;
  by: string; // the property by which errors are grouped
  kind: number | null;
  label: string;
}

export const place = {} as Place;

// The address of a frame in a notebook cannot be changed, so it is also kept here.
let here = location.hash;

export const currentAddress = (): string => here;

const documentNames = data.documents.map((one) => one.name);
const metricNames = data.metrics.map(([name]) => name);

function indexOf<Other>(names: string[], name: string | null, other: Other): number | Other {
  const found = name === null ? -1 : names.indexOf(name);
  return found < 0 ? other : found;
}

/** Read the address into `place`. */
export function readAddress(): void {
  const given = new URLSearchParams(here.slice(1));
  const name = given.get("document");
  place.document = indexOf(documentNames, name, null);
  place.missing = place.document === null ? name : null;
  place.view =
    place.document !== null ? "document" : given.get("view") === "errors" ? "errors" : "overview";
  place.system = indexOf(data.systems, given.get("system"), 0);
  place.second = indexOf(data.systems, given.get("second"), null);
  if (place.second === place.system) place.second = null;
  readFilters(given);
}

function readFilters(given: URLSearchParams): void {
  const [error, show, by] = ["error", "show", "by"].map((name) => given.get(name) ?? "");
  place.error = /^\d+$/.test(error) ? Number(error) : null;
  place.show = show === "key" || show === "response" ? show : "both";
  place.metric = indexOf(metricNames, given.get("metric"), data.headline);
  place.kind = indexOf(data.kinds, given.get("kind"), null);
  place.by = shownGroupings.includes(by) ? by : GROUPING;
  place.label = given.get("label") ?? "";
  const hidden = (given.get("hide") ?? "").split(",");
  place.hide = [...data.kinds.keys()].filter((kind) => hidden.includes(data.codes[kind]));
  place.only = given.has("only") && place.second !== null;
}

/** Return the address of the current place with some changes. */
export function addressOf(change: Partial<Place> = {}): string {
  const to = { ...place, ...change };
  const second = to.second === to.system ? null : to.second;
  const parts: [name: string, value: string | number | null][] = [
    ["by", to.by === GROUPING ? null : to.by],
    ["system", several ? data.systems[to.system] : null],
    ["second", second === null ? null : data.systems[second]],
  ];
  if (to.document !== null) {
    parts.unshift(["document", documentNames[to.document]]);
    parts.push(
      ["show", to.show === "both" ? null : to.show],
      ["hide", to.hide.map((kind) => data.codes[kind]).join(",") || null],
      ["only", to.only && to.second !== null ? "" : null],
      ["error", to.error],
    );
  } else if (to.view === "errors") {
    parts.unshift(
      ["view", "errors"],
      ["kind", to.kind === null ? null : data.kinds[to.kind]],
      ["label", to.label || null],
    );
  }
  parts.push(["metric", to.metric === data.headline ? null : metricNames[to.metric]]);
  const given = parts
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, String(value)]);
  return `#${new URLSearchParams(given)}`;
}

type Listener = () => void;
let leave: Listener;
let arrive: Listener;

/** Set the functions to call before leaving a place and after reaching another. */
export function onMove(listeners: { leave: Listener; arrive: Listener }): void {
  ({ leave, arrive } = listeners);
}

export function go(change: Partial<Place>): void {
  follow(addressOf(change));
}

/** Go to an address. */
export function follow(to: string): void {
  leave();
  if (to !== here) {
    here = to;
    writeHistory(() => history.pushState(null, "", to));
  }
  arrive();
}

/** Write a change to the address without going anywhere. */
export function stay(change: Partial<Place>): void {
  Object.assign(place, change);
  here = addressOf();
  writeHistory(() => history.replaceState(null, "", here));
}

function writeHistory(write: () => void): void {
  try {
    write();
  } catch {
    // A frame in a notebook has no history.
  }
}

/** Follow the browser to its current address. */
export function followBrowser(): void {
  if (here === location.hash) return;
  here = location.hash;
  arrive();
}
