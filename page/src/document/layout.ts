// The layout of a text, in batches of sentences, so that the first ones appear without delay.

import { endOf, spaceBefore, type Content } from "../content";
import { data } from "../data";
import { byId, make } from "../elements";
import { makeClosing, makeOpening } from "./brackets";
import type { Line, Opened, Piece } from "./opened";

const FIRST = 800; // words laid out before anything is shown
const BATCH = 2500; // words laid out at a time after that
const LONG = 300; // words; longer sentences are laid out in several pieces

/** The line of each element that shows one. */
export const lineOfElement = new WeakMap<Element, Line>();

/** Split a text into pieces to lay out: sentences, or parts of long ones. */
export function piecesOfText(content: Content): Piece[] {
  return content.starts.flatMap((begin, sentence) => {
    const stop = endOf(content, sentence);
    const pieces = [];
    let start = begin;
    do {
      pieces.push({ sentence, start, end: Math.min(start + LONG, stop) });
      start += LONG;
    } while (start < stop);
    return pieces;
  });
}

export const isLaidOut = (opened: Opened): boolean => opened.next >= opened.pieces.length;

/** Lay out the next batch of pieces, and at least all pieces up to a word. */
export function layOut(opened: Opened, until = 0): void {
  const enough = opened.next ? BATCH : FIRST;
  const blocks = [];
  let words = 0;
  while (!isLaidOut(opened) && (words < enough || opened.pieces[opened.next].start <= until)) {
    const piece = opened.pieces[opened.next++];
    blocks.push(makePiece(opened, piece));
    words += (piece.end - piece.start) * opened.lines.length;
  }
  byId("text").append(...blocks);
}

/** Lay out all pieces up to a word, unless they are laid out already. */
export function layOutTo(opened: Opened, word: number): void {
  if (!isLaidOut(opened) && opened.pieces[opened.next].start <= word) layOut(opened, word);
}

function makePiece({ content, lines }: Opened, piece: Piece): HTMLElement {
  const begins = piece.start === content.starts[piece.sentence];
  const number = begins ? String(piece.sentence + 1) : "";
  const rows = lines.map((line) => {
    const row = makeLine(content, line, piece);
    if (lines.length > 1) row.prepend(makeWho(line.system));
    return row;
  });
  return make(
    "div",
    { class: "sentence", id: begins ? `sentence-${number}` : null },
    make("span", { class: "number", "aria-hidden": "true" }, number),
    make("div", {}, ...rows),
  );
}

const makeWho = (system: number): HTMLElement =>
  make("span", { class: "who", title: data.systems[system] }, data.labels[system]);

function makeLine(content: Content, line: Line, { start, end }: Piece): HTMLElement {
  const { opens, closes } = line.brackets;
  const row = make("div", {
    class: "line",
    dir: isFromRight(content.words.slice(start, end)) ? "rtl" : null,
  });
  lineOfElement.set(row, line);
  for (let word = start; word < end; word++) {
    if (word > start) row.append(spaceBefore(content, word));
    for (const bracket of opens.get(word) ?? []) row.append(makeOpening(line, bracket));
    line.words[word] = make("span", { class: "w", "data-w": word }, content.words[word]);
    row.append(line.words[word]);
    for (const bracket of closes.get(word) ?? []) row.append(makeClosing(line, bracket));
  }
  return row;
}

/** Return whether the first letter is of a script written from right to left, such as Hebrew. */
const isFromRight = (words: string[]): boolean =>
  /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(words.join("").replace(/^\P{L}+/u, ""));
