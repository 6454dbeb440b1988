// The table of documents, which can be sorted, and filtered by name.

import { addressOf, place } from "../address";
import { data, metricTitles, titleOf } from "../data";
import {
  announce,
  breakable,
  byId,
  make,
  makeControls,
  makeSearch,
  makeSection,
  redraw,
} from "../elements";
import { exact, percent, plural, signed } from "../figures";
import { makeTable, valueOf, type Cell, type Column, type Sort } from "../table";

const BEFORE = data.records ? 3 : 4; // columns before the scores: records have no words
const WORST_FIRST: Sort = { column: BEFORE + data.headline, down: false };

let sort = WORST_FIRST;
let filter = "";
let shownOrder: { system: number; documents: number[] } | null = null;

/** Return the documents in the order of the table, or worst first if it has not been shown. */
export function documentOrder(): number[] {
  if (shownOrder?.system === place.system) return shownOrder.documents;
  const score = (number: number) => data.documents[number].scores[place.system][data.headline] ?? 2;
  return [...data.documents.keys()].sort((a, b) => score(a) - score(b) || a - b);
}

export function documentsSection(): HTMLElement {
  const columns = makeColumns();
  const shownSort = sort.column < columns.length ? sort : WORST_FIRST;
  const rows = data.documents.map((_, number) => ({ number, cells: makeRow(number) }));
  rows.sort((a, b) =>
    compareCells(a.cells[shownSort.column], b.cells[shownSort.column], shownSort.down),
  );
  shownOrder = { system: place.system, documents: rows.map((row) => row.number) };
  const shown = rows.filter(({ number }) =>
    data.documents[number].name.toLowerCase().includes(filter.toLowerCase()),
  );
  const table = makeTable({
    name: "documents",
    caption: `${plural(shown.length, "document")}, scores of ${data.labels[place.system]} in per cent`,
    columns,
    rows: shown.map((row) => row.cells),
    sort: shownSort,
    onsort: (chosen) => sortDocuments(chosen, columns[chosen.column].label),
  });
  const search = makeSearch("Name contains", "filter", filter, filterDocuments);
  return makeSection("documents", ["Documents"], makeControls(search), table);
}

function makeColumns(): Column[] {
  const columns: Column[] = [
    { label: "document", word: true },
    ...(data.records ? [] : [{ label: "words" }]),
    { label: data.records ? "true records" : "key mentions" },
    { label: "errors" },
    ...metricTitles.map((label) => ({ label, up: true })),
  ];
  if (place.second === null) return columns;
  const [metric, second] = [metricTitles[place.metric], place.second];
  const label = `${metric}, ${data.labels[second]}`;
  const title = `${metric}, ${data.systems[second]}`;
  return [...columns, { label, title, up: true }, { label: "difference", up: true }];
}

function makeRow(number: number): Cell[] {
  const { name, words, mentions, errors, scores } = data.documents[number];
  const href = addressOf({ document: number, error: null });
  const ownScores = scores[place.system];
  const row: Cell[] = [
    { value: name, node: make("a", { href }, ...breakable(titleOf(number))) },
    ...(data.records ? [] : [words]),
    mentions,
    errors[place.system].reduce((a, b) => a + b, 0),
    ...ownScores.map((score) => ({ text: percent(score), value: exact(score) })),
  ];
  if (place.second === null) return row;
  const [own, other] = [ownScores[place.metric], scores[place.second][place.metric]];
  const difference = own === null || other === null ? null : own - other;
  return [
    ...row,
    { text: percent(other), value: exact(other) },
    { text: difference === null ? "–" : signed(difference), value: exact(difference) },
  ];
}

/** Compare by value, ascending or descending; missing values come last in both. */
function compareCells(a: Cell, b: Cell, down: boolean): number {
  const [x, y] = [valueOf(a), valueOf(b)];
  if (x === null || y === null) return Number(x === null) - Number(y === null);
  const order = typeof x === "string" ? x.localeCompare(String(y)) : x - Number(y);
  return down ? -order : order;
}

function sortDocuments(chosen: Sort, label: string): void {
  sort = chosen;
  redraw(documentsSection());
  byId("documents").querySelectorAll<HTMLElement>("th button")[chosen.column].focus();
  announce(`sorted by ${label}, ${chosen.down ? "descending" : "ascending"}`);
}

function filterDocuments(text: string): void {
  filter = text;
  redraw(documentsSection());
  const field = byId<HTMLInputElement>("filter");
  field.setSelectionRange(field.value.length, field.value.length);
}
