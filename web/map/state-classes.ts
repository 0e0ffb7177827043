import type { Theme } from '../shared/theme.ts'

/** States with from `from` to `to` incidents have one colour. */
interface StateClass {
  readonly from: number
  readonly to: number
}

const CLASSES = 5

/**
 * The colours of the classes, from the fewest incidents to the most: darker on light ground,
 * brighter on dark ground. Violet, because no severity has it and green would look safe.
 */
export const CLASS_COLOURS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#e3dcec', '#c6b5dd', '#a58aca', '#7c57ac', '#4f2a83'],
  dark: ['#352f4a', '#51437a', '#7560a8', '#9f87d3', '#d2c2f5'],
}

/**
 * Divides counts into at most five classes with round limits and about as many states in each, so
 * that one extreme state does not leave all others in one colour. States without incidents have
 * none.
 */
export function stateClasses(counts: Iterable<number>): StateClass[] {
  const sorted = [...counts].filter((count) => count > 0).sort((one, other) => one - other)
  if (sorted.length === 0) return []
  const highest = sorted.at(-1)!
  const starts = new Set([sorted[0]!])
  for (let step = 1; step < CLASSES; step++) {
    const start = roundLimit(sorted[Math.floor((step * sorted.length) / CLASSES)]!)
    if (start > Math.max(...starts) && start <= highest) starts.add(start)
  }
  const limits = [...starts]
  return limits.map((from, index) => ({ from, to: (limits[index + 1] ?? highest + 1) - 1 }))
}

/** The index of a count's class; null if it has none. */
export function classOf(count: number, classes: readonly StateClass[]): number | null {
  const index = classes.findIndex(({ from, to }) => count >= from && count <= to)
  return index < 0 ? null : index
}

/**
 * The colours of that many classes: a few classes still reach from the first colour to the last.
 */
export function classColours(theme: Theme, classes: number): string[] {
  const colours = CLASS_COLOURS[theme]
  const last = colours.length - 1
  if (classes === 1) return [colours[2]!]
  return Array.from({ length: classes }, (_, index) => colours[Math.round((index * last) / (classes - 1))]!)
}

/** Rounds to one or two digits that people read easily: 7, 15, 40, 250. */
function roundLimit(count: number): number {
  if (count < 10) return count
  const unit = 10 ** Math.floor(Math.log10(count)) / 2
  return Math.round(count / unit) * unit
}
