// Tables that can be sorted and downloaded.

import { download, type Value } from "./download";
import { make } from "./elements";
import { counted } from "./figures";

export interface Column {
  label: string;
  word?: boolean; // text, not numbers
  up?: boolean; // sorted in ascending order first
  title?: string;
}

/** The content of a cell, and its value for sorting and for CSV files if that differs. */
export interface RichCell {
  text?: string;
  node?: Node | string;
  value?: Value;
  small?: string[]; // lines below
  class?: string;
  style?: string;
  title?: string;
}

export type Cell = Value | RichCell;

export interface Sort {
  column: number;
  down: boolean;
}

export interface Table {
  name: string;
  caption: string;
  columns: Column[];
  rows: Cell[][];
  csv?: () => Value[][]; // the content of the file if it differs from the table
  sort?: Sort;
  onsort?: (sort: Sort) => void;
}

const isRich = (cell: Cell): cell is RichCell => cell !== null && typeof cell === "object";

export function valueOf(cell: Cell): Value {
  if (!isRich(cell)) return cell;
  return cell.value === undefined ? cell.text! : cell.value;
}

/** Make a table with a download button. */
export function makeTable(table: Table): HTMLElement {
  const { name, caption, columns, rows } = table;
  const heads = columns.map((column, number) => makeHead(table, column, number));
  const body = rows.map((row) =>
    make("tr", {}, ...row.map((cell, number) => makeCell(cell, columns[number], number))),
  );
  const element = make(
    "table",
    { id: `table-${name}` },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...body),
  );
  const shown = () => [
    columns.map((column) => column.label),
    ...rows.map((row) => row.map(valueOf)),
  ];
  return make(
    "div",
    {},
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, element),
    makeDownload(name, table.csv ?? shown),
  );
}

function makeHead({ sort, onsort }: Table, column: Column, number: number): HTMLElement {
  const head = make("th", {
    scope: "col",
    class: column.word ? "word" : null,
    title: column.title,
  });
  if (!sort || !onsort) {
    head.append(column.label);
    return head;
  }
  const sorted = sort.column === number;
  const down = sorted ? !sort.down : !column.word && number > 0 && !column.up;
  head.append(
    make(
      "button",
      { type: "button", onclick: () => onsort({ column: number, down }) },
      column.label,
    ),
  );
  if (sorted) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
  return head;
}

function makeCell(cell: Cell, column: Column, number: number): HTMLElement {
  const rich = isRich(cell) ? cell : { node: textOf(cell) };
  const content = rich.node ?? textOf(rich.text!);
  if (number === 0) return make("th", { scope: "row" }, content);
  const classes = [column.word ? "word" : "", rich.class ?? ""].filter(Boolean).join(" ");
  const small = (rich.small ?? []).map((line) => make("small", {}, line));
  return make(
    "td",
    { class: classes || null, style: rich.style, title: rich.title },
    content,
    ...small,
  );
}

function textOf(value: Value): string {
  if (value === null) return "–";
  return typeof value === "number" ? counted(value) : value;
}

/** Make a button that downloads rows as a CSV file. */
export const makeDownload = (name: string, rows: () => Value[][]): HTMLElement =>
  make(
    "button",
    { type: "button", class: "csv", id: `csv-${name}`, onclick: () => download(name, rows()) },
    "CSV",
    make("span", { class: "unseen" }, ` of ${name}`),
  );
