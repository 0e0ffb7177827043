const THOUSAND = 1000
const MILLION = 1_000_000

/** The count in at most four characters, as the tiles show it: `384`, `1.2k`, `12k`, `1.3M`. */
export function shortCount(count: number): string {
  if (count >= 9.95 * MILLION) return `${Math.round(count / MILLION)}M`
  if (count >= 999_500) return `${tenths(count / MILLION)}M`
  if (count >= 9950) return `${Math.round(count / THOUSAND)}k`
  return count >= THOUSAND ? `${tenths(count / THOUSAND)}k` : String(count)
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
