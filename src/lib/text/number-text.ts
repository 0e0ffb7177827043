/** Formats a whole number with commas: `1,234,567`. Much cheaper than the browser's formatter. */
export function numberText(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
