// Tables as CSV files.

import { make } from "./elements";

export type Value = string | number | null;

function quote(value: Value): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Offer rows as the file `name`.csv. */
export function download(name: string, rows: Value[][]): void {
  const text = rows.map((row) => row.map(quote).join(",")).join("\n") + "\n";
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = make("a", { href: url, download: `${name}.csv` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
