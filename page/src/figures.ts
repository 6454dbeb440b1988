// Numbers as text.

/** Write a share as a percentage, without negative zeros. */
export function percent(value: number | null, digits = 2): string {
  if (value === null) return "–";
  const text = (100 * value).toFixed(digits).replace("-", "−");
  return text.replace(/^−(0\.?0*)$/, "$1");
}

/** Write a difference as a percentage, with its sign. */
export function signed(value: number): string {
  const text = percent(value);
  return value > 0 && text !== "0.00" ? `+${text}` : text;
}

export const counted = (number: number): string => number.toLocaleString("en-US");

export const plural = (number: number, word: string): string =>
  `${counted(number)} ${word}${number === 1 ? "" : "s"}`;

/** Return a share as a percentage, for sorting and CSV files. */
export const exact = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Number((100 * value).toFixed(4));
