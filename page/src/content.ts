// The words and mentions of documents, whose blocks are read on demand.

import { readBlock, type ResponseBlock, type SideBlock, type Span } from "./data";

const COLOURS = 8; // of entities, in style.css
const CACHED = 400; // documents

/** The mentions of a key or of a response; mentions and entities are numbered from 0. */
export interface Side {
  first: number[]; // word, by mention
  last: number[]; // word, by mention
  entity: number[]; // by mention
  pieces: Record<number, Span[]>; // of mentions with several pieces
  ids: string[]; // by entity: its id in the file
  labels: string[]; // by entity: its number on the page
  colours: string[]; // by entity
  members: number[][]; // by entity: its mentions
}

export interface ResponseSide extends Side {
  errors: number[][]; // as data.ts declares them
}

export interface Content {
  words: string[];
  starts: number[]; // the first word of each sentence
  glued: Set<number>; // the words without a space before them
  key: Side;
  responses: ResponseSide[];
}

const contents = new Map<number, Content>();

/** Return the content of a document, which is read once. */
export function contentOf(number: number): Content {
  let content = contents.get(number);
  if (!content) {
    content = readContent(number);
    if (contents.size > CACHED) contents.clear();
    contents.set(number, content);
  }
  return content;
}

function readContent(number: number): Content {
  const block = readBlock(number);
  const key = readSide(block.key);
  let coloured = 0;
  key.labels = key.ids.map((_, entity) => String(entity + 1));
  key.colours = key.members.map((members) =>
    members.length > 1 ? String(coloured++ % COLOURS) : "N",
  );
  const responses = block.responses.map((one) => readResponse(one, key));
  return { words: block.words, starts: block.starts, glued: new Set(block.glued), key, responses };
}

function readResponse(block: ResponseBlock, key: Side): ResponseSide {
  const colours = block.main.map((entity) => (entity < 0 ? "N" : key.colours[entity]));
  return { ...readSide(block), labels: block.labels, colours, errors: block.errors };
}

function readSide({ mentions, ids, pieces = {} }: SideBlock): Side {
  const members: number[][] = ids.map(() => []);
  const side: Side = {
    first: [],
    last: [],
    entity: [],
    pieces,
    ids,
    labels: [],
    colours: [],
    members,
  };
  let first = 0;
  for (let at = 0; at < mentions.length; at += 3) {
    const [distance, length, entity] = mentions.slice(at, at + 3);
    first += distance;
    members[entity].push(side.first.length);
    side.first.push(first);
    side.last.push(first + length);
    side.entity.push(entity);
  }
  return side;
}

export const piecesOf = (side: Side, mention: number): Span[] =>
  side.pieces[mention] ?? [[side.first[mention], side.last[mention]]];

/** Find the innermost mention at each word, or −1. */
export function coverWords(side: Side, words: number): Int32Array {
  const length = (mention: number) => side.last[mention] - side.first[mention];
  const longestFirst = [...side.first.keys()].sort((a, b) => length(b) - length(a));
  const covered = new Int32Array(words).fill(-1);
  for (const mention of longestFirst) {
    for (const [first, last] of piecesOf(side, mention)) covered.fill(mention, first, last + 1);
  }
  return covered;
}

export const spaceBefore = (content: Content, word: number): string =>
  content.glued.has(word) ? "" : " ";

export function joinWords(content: Content, first: number, last: number): string {
  let text = content.words[first];
  for (let word = first + 1; word <= last; word++)
    text += spaceBefore(content, word) + content.words[word];
  return text;
}

/** Return the text of a mention. */
export const textOf = (content: Content, side: Side, mention: number): string =>
  piecesOf(side, mention)
    .map(([first, last]) => joinWords(content, first, last))
    .join(" … ");

export const quote = (content: Content, side: Side, mention: number): string =>
  `“${textOf(content, side, mention)}”`;

/** Find the sentence of a word, by bisection. */
export function sentenceOf(content: Content, word: number): number {
  let low = 0;
  let high = content.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (content.starts[middle] <= word) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Return the end of a sentence: the word after its last. */
export const endOf = (content: Content, sentence: number): number =>
  content.starts[sentence + 1] ?? content.words.length;
