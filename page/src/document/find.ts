// Search in the text.

import type { Content } from "../content";
import type { Span } from "../data";
import { byId } from "../elements";
import { plural } from "../figures";
import { layOutTo } from "./layout";
import type { Opened } from "./opened";

const MANY = 5000; // hits; with this many or more, the page does not scroll to the first

/** Find a query, which may span several words, and go to the first hit. */
export function find(opened: Opened, query: string, jump = true): void {
  const wanted = query.trim().toLowerCase().split(/\s+/).join(" ");
  opened.query = query;
  opened.hits = wanted ? findHits(opened.content, wanted) : [];
  opened.hit = -1;
  markHits(opened);
  byId("hits").textContent = wanted ? plural(opened.hits.length, "hit") : "";
  if (jump && opened.hits.length < MANY) nextHit(opened, 1);
}

function findHits({ words, glued }: Content, wanted: string): Span[] {
  let text = "";
  const starts = words.map((word, number) => {
    if (number && !glued.has(number)) text += " ";
    const start = text.length;
    text += word.toLowerCase();
    return start;
  });
  const lastBefore = (end: number, from: number) => {
    let word = from;
    while (word + 1 < starts.length && starts[word + 1] < end) word++;
    return word;
  };
  const hits: Span[] = [];
  let first = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    first = lastBefore(at + 1, first);
    hits.push([first, lastBefore(at + wanted.length, first)]);
  }
  return hits;
}

/** Mark the words of all hits that are laid out. */
export function markHits({ found, hits, lines }: Opened): void {
  found.clear();
  for (const [first, last] of hits) {
    for (const line of lines)
      line.words.slice(first, last + 1).forEach((word) => found.add(word, "hit"));
  }
}

/** Scroll to the next or previous hit, wrapping around at the ends. */
export function nextHit(opened: Opened, by: number): void {
  const count = opened.hits.length;
  if (!count) return;
  opened.hit = (opened.hit + by + count) % count;
  const [word] = opened.hits[opened.hit];
  layOutTo(opened, word);
  markHits(opened);
  opened.lines[0].words[word].scrollIntoView({ block: "center" });
  byId("hits").textContent = `${opened.hit + 1} of ${count}`;
}
