/** A number in plain digits: `1e-7`, as JavaScript writes it, is no number in a query string. */
export function decimalNotation(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(15).replace(/\.?0+$/, '') : text
}
