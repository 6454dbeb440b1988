// The differences of all other responses from one of them, with significance tests.

import { data, metricTitles, worded, type Difference } from "../data";
import type { Value } from "../download";
import { make, makeControls, makeSection, makeSelect, redraw } from "../elements";
import { exact, plural, signed } from "../figures";
import { systemCell } from "../systems";
import { makeTable, type Cell } from "../table";

const HEAD = [
  "response",
  "base",
  "metric",
  "difference",
  "low",
  "high",
  "p",
  "better",
  "alike",
  "worse",
];
let base = 0;

export function differencesSection(): HTMLElement {
  const pairs = differencesFromBase();
  const corrected =
    data.pairs.length > 1
      ? `, corrected for all ${data.pairs.length} pairs of ${worded("responses")}`
      : "";
  return makeSection(
    "differences",
    [worded("Differences between responses")],
    makeControls(
      makeSelect("Differences from", "base", data.labels, base, (chosen) => {
        base = chosen;
        redraw(differencesSection());
      }),
    ),
    makeTable({
      name: "differences",
      caption: `Differences in percentage points, with confidence intervals and p-values${corrected}; * p < .05, ** p < .01`,
      columns: [
        { label: worded("response"), word: true },
        ...metricTitles.map((label) => ({ label })),
      ],
      rows: pairs.map(({ system, differences }) => [
        systemCell(system),
        ...differences.map(makeDifference),
      ]),
      csv: () => [
        HEAD,
        ...pairs.flatMap(({ system, differences }) => fileRows(system, differences)),
      ],
    }),
  );
}

/** Return the differences of all other responses from the base, whichever way round a pair is stored. */
function differencesFromBase(): { system: number; differences: Difference[] }[] {
  return data.pairs
    .filter(([system, other]) => system === base || other === base)
    .map(([system, other, differences]) =>
      other === base
        ? { system, differences }
        : { system: other, differences: differences.map(reverse) },
    );
}

function reverse([value, interval, p, wins, ties, losses]: Difference): Difference {
  return [-value, interval && [-interval[1], -interval[0]], p, losses, ties, wins];
}

function makeDifference([value, interval, p, wins, ties, losses]: Difference): Cell {
  return {
    value: exact(value),
    node: make("span", {}, signed(value) + starsOf(p)),
    small: [interval ? `[${signed(interval[0])}, ${signed(interval[1])}]` : "", writeP(p)].filter(
      Boolean,
    ),
    title: `better in ${plural(wins, "document")}, equal in ${ties}, worse in ${losses}`,
  };
}

function starsOf(p: number | null): string {
  if (p === null || p >= 0.05) return "";
  return p < 0.01 ? "**" : "*";
}

function writeP(p: number | null): string {
  if (p === null) return "";
  return p < 0.0001 ? "p < .0001" : `p = ${p.toFixed(4).replace(/^0/, "")}`;
}

function fileRows(system: number, differences: Difference[]): Value[][] {
  return differences.map(([value, interval, p, wins, ties, losses], metric) => {
    const [low, high] = interval ?? [null, null];
    const numbers = [value, low, high].map(exact);
    return [
      data.systems[system],
      data.systems[base],
      data.metrics[metric][0],
      ...numbers,
      p,
      wins,
      ties,
      losses,
    ];
  });
}
