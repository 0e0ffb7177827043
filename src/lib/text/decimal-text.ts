/** Writes a number without an exponent: query strings do not allow JavaScript's `1e-7`. */
export function decimalNotation(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(15).replace(/\.?0+$/, '') : text
}
