// The errors of a response, and their messages.

import { quote, sentenceOf, textOf, type Content, type ResponseSide, type Side } from "./content";
import { data, groupings, kindName } from "./data";
import type { Value } from "./download";
import { make } from "./elements";
import type { RichCell } from "./table";

export interface PageError {
  number: number;
  kind: number;
  side: Side; // whose mentions are wrong
  mentions: number[];
  otherSide: Side;
  other: number | null; // a mention of the entity that they should, or should not, be in
  groups: string[]; // in the order of data.combinations
  first: number; // word
}

export interface PlacedError {
  document: number;
  content: Content;
  error: PageError;
}

const known = new WeakMap<ResponseSide, PageError[]>();

/** Return the errors of a response in the order of the text. */
export function errorsOf(content: Content, system: number): PageError[] {
  const response = content.responses[system];
  let errors = known.get(response);
  if (!errors) {
    errors = response.errors.flatMap((flat, kind) => readErrors(flat, kind, content.key, response));
    errors.sort((a, b) => a.first - b.first || a.kind - b.kind || a.number - b.number);
    known.set(response, errors);
  }
  return errors;
}

/** Read the errors of one kind from a flat list, as show/page/data.py writes them. */
function readErrors(flat: number[], kind: number, key: Side, response: Side): PageError[] {
  const [side, otherSide] = data.sides[kind].map((name) => (name === "key" ? key : response));
  const errors: PageError[] = [];
  let at = 1;
  while (at < flat.length) {
    const end = at + 1 + flat[at];
    const mentions = flat.slice(at + 1, end);
    const [other, combination] = flat.slice(end, end + 2);
    errors.push({
      number: flat[0] + errors.length,
      kind,
      side,
      mentions,
      otherSide,
      other: other ? other - 1 : null,
      groups: data.combinations[combination],
      first: side.first[mentions[0]],
    });
    at = end + 2;
  }
  return errors;
}

export const groupOf = (error: PageError, by: string): string =>
  error.groups[groupings.indexOf(by)];

/** Return the message of an error, as the command `sameas errors` prints it. */
export function messageOf(content: Content, error: PageError): string {
  const shown = error.mentions.slice(0, 3).map((mention) => quote(content, error.side, mention));
  const more = error.mentions.length - shown.length;
  const dropped = error.groups.at(-1)!;
  const parts: Record<string, string> = {
    what: shown.join(", ") + (more ? ` and ${more} more` : ""),
    other: error.other === null ? "nothing" : quote(content, error.otherSide, error.other),
    dropped,
  };
  const sentences = dropped === "0" ? data.messages : data.dropped;
  return sentences[error.kind].replace(/\{(what|other|dropped)\}/g, (_, name) => parts[name]);
}

/** Make the code of a kind of error. */
export const makeCode = (kind: number): HTMLElement =>
  make("span", { class: `code K${kind}`, title: kindName(kind) }, data.codes[kind]);

/** Make the table cell that names a kind of error. */
export const kindCell = (kind: number): RichCell => ({
  node: make("span", {}, makeCode(kind), ` ${data.plurals[kind]}`),
  value: data.plurals[kind],
});

/** Return errors as rows of a CSV file. */
export function errorRows(errors: PlacedError[]): Value[][] {
  const head = [
    "number",
    "kind",
    "document",
    "sentence",
    "text",
    "mention",
    "mentions",
    "other_text",
    "message",
  ];
  const rows = errors.map(({ document, content, error }) => [
    error.number,
    data.kinds[error.kind],
    data.documents[document].name,
    sentenceOf(content, error.first) + 1,
    textOf(content, error.side, error.mentions[0]),
    groupOf(error, "mention"),
    error.mentions.length,
    error.other === null ? "" : textOf(content, error.otherSide, error.other),
    messageOf(content, error),
  ]);
  return [head, ...rows];
}
