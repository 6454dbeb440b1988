// How many errors there are of each kind, by a property of theirs.

import { addressOf, place, stay } from "../address";
import { data, groupings, several } from "../data";
import { make, makeControls, makeSection, makeSelect, redraw } from "../elements";
import { kindCell } from "../errors";
import { counted } from "../figures";
import { makeTable, type Cell } from "../table";

export function groupsSection(): HTMLElement {
  const { labels, table } = data.groups[place.system][place.by];
  const most = Math.max(1, ...table.flat());
  const rows = table.map((counts, kind) => {
    const cells = counts.map((count, number) =>
      makeCount(count, kind, labels[number], heat(count / most)),
    );
    const sum = counts.reduce((a, b) => a + b, 0);
    return [kindCell(kind), ...cells, makeCount(sum, kind, "", {})];
  });
  return makeSection(
    "groups",
    ["Kinds of errors", ofSystem()],
    make("p", {}, "Each number leads to the errors it counts."),
    makeControls(
      makeSelect("By", "by", Object.values(data.grouped), groupings.indexOf(place.by), (chosen) => {
        stay({ by: groupings[chosen] });
        redraw(groupsSection());
      }),
    ),
    makeTable({
      name: "errors-by-kind",
      caption: `Errors by kind and ${data.grouped[place.by]}`,
      columns: [
        { label: "errors", word: true },
        ...labels.map((label) => ({ label })),
        { label: "all" },
      ],
      rows,
    }),
    ...(["mention", "other"].includes(place.by) ? makeGuesses() : []),
  );
}

/** Say whose errors these are, where there are several responses. */
export const ofSystem = (): string | null => (several ? ` of ${data.systems[place.system]}` : null);

/** Make a number that leads to the errors it counts. */
function makeCount(count: number, kind: number, label: string, look: object): Cell {
  const href = addressOf({ view: "errors", kind, label, by: place.by });
  return {
    value: count,
    node: count ? make("a", { class: "count", href }, counted(count)) : "0",
    ...look,
  };
}

/** Return the look of a cell whose background is as strong as a share is large. */
export const heat = (share: number): { class: string; style: string } => ({
  class: "heat",
  style: `--h:${(0.45 * share).toFixed(3)}`,
});

/** Make remarks about kinds of mentions that the files do not state. */
export const makeGuesses = (): HTMLElement[] =>
  data.guesses[place.system].map((note) => make("p", { class: "faint" }, `Note: ${note}.`));
