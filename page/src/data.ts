// The data that show/page/data.py writes to the page, and functions that read them.
//
// Lists are parallel: systems, metrics, kinds of errors and documents are numbered from 0 in the
// order in which the overview lists them, and every other list is indexed by these numbers.

export interface Overview {
  records: boolean; // whether records are scored, not mentions in a text
  title: string;
  version: string;
  signature: string;
  notes: string[];
  systems: string[];
  labels: string[]; // of the systems: short names
  metrics: [name: string, title: string][];
  headline: number; // the main metric: CoNLL if it was scored
  kinds: string[]; // of errors
  plurals: string[]; // by kind
  messages: string[]; // by kind, with {what} and {other}
  dropped: string[]; // by kind: the message if mentions are singletons on the other side
  codes: string[]; // by kind
  sides: [wrong: SideName, other: SideName][]; // by kind: whose mentions an error is about
  mentions: string[]; // kinds of mentions
  guesses: string[][]; // by system: remarks on kinds of mentions that were guessed
  grouped: Record<string, string>; // titles of the properties by which errors are grouped
  scores: Score[][]; // by system and metric
  pairs: [system: number, base: number, differences: Difference[]][]; // differences by metric
  repairs: Repairs[]; // by system
  combinations: string[][]; // groups in the order of `grouped`, then the number of dropped mentions
  groups: Record<string, Groups>[]; // by system, then by the name of the grouping
  links: Record<SideName, Links[]>[]; // by system
  documents: DocumentSummary[];
}

export type SideName = "key" | "response";

/** A number, and the limits of its confidence interval, if any. */
export type Estimate = [value: number] | [value: number, low: number, high: number];

/** The headline number, recall and precision; an average has no recall and no precision. */
export type Score = [value: Estimate, recall: Estimate | null, precision: Estimate | null];

export type Difference = [
  value: number,
  interval: [low: number, high: number] | null,
  p: number | null, // corrected for the number of pairs
  wins: number,
  ties: number,
  losses: number,
];

/** The scores after repairing errors: by kind, then by metric. */
export interface Repairs {
  errors: number[]; // by kind
  alone: number[][];
  turn: number[][]; // after all kinds before it, too
}

/** The number of errors of each kind with each label. */
export interface Groups {
  labels: string[];
  table: number[][]; // by kind and label
}

export type Links = [anaphor: string, antecedent: string, total: number, bad: number];

export interface DocumentSummary {
  name: string;
  words: number | null; // null if mentions are not in a text
  mentions: number; // of the key
  scores: (number | null)[][]; // by system and metric
  errors: number[][]; // by system and kind
}

/** First and last word of a piece of a mention. */
export type Span = [first: number, last: number];

/** Mentions as three numbers each; see show/page/data.py. */
export interface SideBlock {
  mentions: number[];
  ids: string[]; // of entities, in the file
  pieces?: Record<number, Span[]>; // of mentions with several pieces
}

export interface ResponseBlock extends SideBlock {
  main: number[]; // for each entity, the key entity with the most shared mentions, or -1
  labels: string[]; // of entities
  errors: number[][]; // by kind, as flat lists; see show/page/data.py
}

export interface DocumentBlock {
  words: string[];
  starts: number[]; // the first word of each sentence
  glued?: number[]; // the words without a space before them
  key: SideBlock;
  responses: ResponseBlock[];
}

const parse = (id: string): unknown => JSON.parse(document.getElementById(id)!.textContent!);

export const data = parse("data") as Overview;
export const several = data.systems.length > 1;
export const groupings = Object.keys(data.grouped);
const OF_TEXTS = ["mention", "other", "distance", "head"]; // records have none of these
/** The groupings that a reader can choose. */
export const shownGroupings = groupings.filter((by) => !data.records || !OF_TEXTS.includes(by));
/** The numbers of the kinds of errors that can occur: records have no spans. */
export const shownKinds = [...data.kinds.keys()].filter(
  (kind) => !data.records || data.kinds[kind] !== "span",
);
export const metricTitles = data.metrics.map(([, title]) => title);

const OF_RECORDS: Record<string, string> = {
  key: "truth",
  response: "prediction",
  responses: "predictions",
  mention: "record",
  mentions: "records",
  entity: "cluster",
  entities: "clusters",
};

/** Return a text of the page in the terms of what was scored: mentions, or records. */
export function worded(text: string): string {
  if (!data.records) return text;
  const words = new RegExp(`\\b(${Object.keys(OF_RECORDS).join("|")})\\b`, "gi");
  const translate = (word: string) => {
    const other = OF_RECORDS[word.toLowerCase()];
    return /^[A-Z]/.test(word) ? other[0].toUpperCase() + other.slice(1) : other;
  };
  return text.replace(words, translate).replace(/\ban cluster/g, "a cluster");
}

/** Return the name of a kind of errors as the page shows it. */
export const kindName = (kind: number): string => worded(data.kinds[kind]);

/** Read the block of one document. */
export const readBlock = (number: number): DocumentBlock =>
  parse(`document-${number}`) as DocumentBlock;

export const titleOf = (number: number): string => data.documents[number].name || "(no name)";
