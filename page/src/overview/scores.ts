// The scores of all responses.

import { data, metricTitles, several, type Estimate, worded } from "../data";
import type { Value } from "../download";
import { makeControls, makeSection, makeSelect, redraw } from "../elements";
import { exact, percent, plural } from "../figures";
import { systemCell } from "../systems";
import { makeTable, type Cell } from "../table";

const PARTS = ["F1", "recall", "precision"]; // of a score, as data.ts declares it
let part = 0;

export function scoresSection(): HTMLElement {
  const best = data.metrics.map((_, metric) =>
    Math.max(...data.scores.map((row) => row[metric][part]?.[0] ?? -1)),
  );
  const rows = data.scores.map((scores, system) => {
    const cells = scores.map((score, metric) => makeScore(score[part], best[metric]));
    return [systemCell(system), ...cells];
  });
  const intervals = data.documents.length > 1 ? ", with the confidence interval" : "";
  const documents = plural(data.documents.length, "document");
  return makeSection(
    "scores",
    ["Scores"],
    makeControls(
      makeSelect("Show", "part", PARTS, part, (chosen) => {
        part = chosen;
        redraw(scoresSection());
      }),
    ),
    makeTable({
      name: "scores",
      caption: `${PARTS[part]} in per cent${intervals}, over ${documents}${several ? "; the best in bold" : ""}`,
      columns: [
        { label: worded("response"), word: true },
        ...metricTitles.map((label) => ({ label })),
      ],
      rows,
      csv: scoresFile,
    }),
  );
}

function makeScore(estimate: Estimate | null, best: number): Cell {
  if (!estimate) return { text: "–", value: "" };
  const [value] = estimate;
  const small = estimate.length === 3 ? [`[${percent(estimate[1])}, ${percent(estimate[2])}]`] : [];
  return {
    text: percent(value),
    value: exact(value),
    small,
    class: several && value === best ? "best" : "",
  };
}

/** Return the rows of the CSV file: for each response and metric, all parts with intervals. */
function scoresFile(): Value[][] {
  const parts = ["f1", "recall", "precision"].flatMap((name) => [
    name,
    `${name}_low`,
    `${name}_high`,
  ]);
  const rows = data.systems.flatMap((system, number) =>
    data.metrics.map(([metric], place) => {
      const numbers = data.scores[number][place].flatMap((estimate) =>
        [0, 1, 2].map((end) => exact(estimate?.[end])),
      );
      return [system, metric, ...numbers];
    }),
  );
  return [["response", "metric", ...parts], ...rows];
}
