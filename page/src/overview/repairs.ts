// The gains from repairing all errors of a kind.

import { place, stay } from "../address";
import { data, metricTitles, shownKinds, worded } from "../data";
import { make, makeControls, makeSection, makeSelect, redraw } from "../elements";
import { kindCell, makeCode } from "../errors";
import { exact, percent, signed } from "../figures";
import { nameOf } from "../systems";
import { makeTable, type Cell } from "../table";
import { documentsSection } from "./documents";

const explain = (title: string): string =>
  `How ${title} would change if all errors of a kind were repaired: only these (alone), or after all ` +
  "kinds above them (in turn). Repairing all kinds gives the key.";

export function repairsSection(): HTMLElement {
  const title = metricTitles[place.metric];
  return makeSection(
    "repairs",
    ["Gains from repairs"],
    make("p", {}, worded(explain(title))),
    makeControls(
      makeSelect("Metric", "metric", metricTitles, place.metric, (metric) => {
        stay({ metric });
        redraw(repairsSection());
        redraw(documentsSection());
      }),
    ),
    make("div", { class: "bars" }, ...data.systems.flatMap(makeBar)),
    makeLegend(),
    repairsTable(title),
  );
}

const scoreOf = (system: number): number => data.scores[system][place.metric][0][0];

/** Return the gain from repairing each kind after all kinds before it. */
function gainsOf(system: number): number[] {
  const scores = data.repairs[system].turn.map((values) => values[place.metric]);
  return scores.map((score, kind) => score - (kind ? scores[kind - 1] : scoreOf(system)));
}

/** Make the name of a response, and a bar with its score and the gains from repairs. */
function makeBar(name: string, system: number): HTMLElement[] {
  const score = scoreOf(system);
  const gains = gainsOf(system);
  // If a repair lowers the score, the gains of the others sum to more than the missing part.
  const whole = Math.max(1, score + gains.reduce((sum, gain) => sum + Math.max(gain, 0), 0));
  const share = (part: number) => `width:${(100 * part) / whole}%`;
  const legible = innerWidth < 700 ? 0.08 : 0.03;
  const spans = [make("span", { class: "base", style: share(score) }, percent(score, 1))];
  gains.forEach((gain, kind) => {
    if (gain <= 0) return;
    const text = gain / whole > legible ? data.codes[kind] : "";
    const title = `${data.plurals[kind]}: ${signed(gain)}`;
    spans.push(make("span", { class: `K${kind}`, style: share(gain), title }, text));
  });
  const words = [
    `${name}: ${percent(score)}`,
    ...shownKinds.map((kind) => `${data.plurals[kind]} ${signed(gains[kind])}`),
  ];
  return [
    make("div", { class: "name" }, nameOf(system)),
    make("div", { class: "bar", role: "img", "aria-label": words.join(", ") }, ...spans),
  ];
}

function repairsTable(title: string): HTMLElement {
  const { errors, alone, turn } = data.repairs[place.system];
  const score = scoreOf(place.system);
  const change = (value: number): Cell => ({ text: signed(value), value: exact(value) });
  const gains = gainsOf(place.system);
  const rows = shownKinds.map((kind) => {
    const repaired = turn[kind][place.metric];
    return [
      kindCell(kind),
      errors[kind],
      change(alone[kind][place.metric] - score),
      change(gains[kind]),
      { text: percent(repaired), value: exact(repaired) },
    ];
  });
  return makeTable({
    name: "repairs",
    caption: `${title} of ${data.labels[place.system]} (${percent(score)}) as errors are repaired kind by kind`,
    columns: [
      { label: "errors", word: true },
      { label: "number" },
      { label: "alone", title: "the change if only these errors are repaired" },
      { label: "in turn", title: "the change if these errors are repaired after all kinds above" },
      { label: title, title: "the score if these errors and all kinds above are repaired" },
    ],
    rows,
  });
}

const makeLegend = (): HTMLElement =>
  make(
    "ul",
    { class: "legend" },
    ...shownKinds.map((kind) => make("li", {}, makeCode(kind), ` ${data.plurals[kind]}`)),
  );
