// The state of the open document: layout, search, filters and choice.

import { place } from "../address";
import { coverWords, type Content, type Side } from "../content";
import type { SideName, Span } from "../data";
import type { PageError } from "../errors";
import type { Brackets } from "./brackets";

/** The text as annotated by one response; with two responses, each sentence has two lines. */
export interface Line {
  system: number;
  sides: Record<SideName, Side>;
  words: HTMLElement[]; // as far as they are laid out
  badges: Record<SideName, Map<number, PageError[]>>; // the errors of each mention
  brackets: Brackets;
  cover: Record<SideName, Int32Array> | null; // the innermost mention at each word
}

/** A piece of text to lay out: a sentence, or a part of a long one. */
export interface Piece {
  sentence: number;
  start: number; // word
  end: number; // the word after the last
}

export interface Opened {
  shows: string; // document, responses and sides
  number: number;
  content: Content;
  lines: Line[];
  pieces: Piece[];
  next: number; // the next piece to lay out
  listed: PageError[]; // the errors that pass the filters
  from: number; // the first of them on the page of the list
  chosen: PageError | null;
  query: string;
  hits: Span[];
  hit: number; // the current hit, or -1
  lit: Marks; // words of the entities that the mouse points at
  painted: Marks; // words of the chosen error
  found: Marks; // words of hits
}

/** The marked words, so that their marks can be removed. */
export class Marks {
  private marked: [word: HTMLElement, mark: string][] = [];

  add(word: HTMLElement, mark: string): void {
    word.classList.add(mark);
    this.marked.push([word, mark]);
  }

  clear(): void {
    for (const [word, mark] of this.marked) word.classList.remove(mark);
    this.marked = [];
  }
}

export let opened: Opened | null = null;

export function setOpened(now: Opened | null): void {
  opened = now;
}

/** Return the sides that are shown. */
export const shownSides = (): SideName[] =>
  place.show === "both" ? ["key", "response"] : [place.show];

/** Find the innermost mentions at a word, by side. */
export function mentionsAt(
  line: Line,
  word: number,
  words: number,
): { name: SideName; mention: number }[] {
  line.cover ??= {
    key: coverWords(line.sides.key, words),
    response: coverWords(line.sides.response, words),
  };
  const { cover } = line;
  return shownSides()
    .map((name) => ({ name, mention: cover[name][word] }))
    .filter(({ mention }) => mention >= 0);
}
