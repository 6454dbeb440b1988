// The names of responses, shortened where they are long.

import { data } from "./data";
import { make } from "./elements";
import type { RichCell } from "./table";

/** Make the short name of a response, with the full name as a tooltip. */
export const nameOf = (system: number): HTMLElement =>
  make("span", { title: data.systems[system] }, data.labels[system]);

/** Make the table cell that names a response; files have its full name. */
export const systemCell = (system: number): RichCell => ({
  node: nameOf(system),
  value: data.systems[system],
});
