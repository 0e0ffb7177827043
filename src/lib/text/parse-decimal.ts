/** No program writes a double with more digits, such as 0.0000012345678901234567. */
const DECIMAL = /^[+-]?(\d{1,15}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i

/**
 * Parses a number as programs write it, `0.30000000000000004` and `1e-7` too; null for other texts.
 */
export function parseDecimal(text: string): number | null {
  // Adding 0 turns -0 into 0: the two would have different canonical texts.
  const value = DECIMAL.test(text) ? Number(text) + 0 : Number.NaN
  return Number.isFinite(value) ? value : null
}
