/** A part of a series as a baseline: which indexes, and the level of the season of each. */
export interface Baseline {
  readonly indexes: readonly number[]
  readonly levels: readonly number[]
  readonly levelCount: number
  /** The level of the index that is tested. */
  readonly targetLevel: number
}

export interface SeasonOptions {
  /** How many periods before and after the same period of an earlier year belong to its season. */
  readonly halfWindow: number
  /** 1 compares with the same season of earlier years only; more use the whole years. */
  readonly levelCount: number
  /**
   * The periods just before the tested one that are left out: what is tested may have begun then.
   */
  readonly recentExcluded: number
}

/**
 * Chooses the baseline of an index. `sameTimes` has the index itself and the same period one, two …
 * years earlier. With several levels, the time between two seasons is divided into equal parts,
 * the same in each year (Noufaily 2013).
 */
export function chooseBaseline(sameTimes: readonly number[], options: SeasonOptions): Baseline {
  const { halfWindow, levelCount, recentExcluded } = options
  const tested = sameTimes[0]!
  const targetLevel = levelCount - 1
  const levelAt = new Map<number, number>()
  for (let year = 1; year < sameTimes.length; year++) {
    const centre = sameTimes[year]!
    for (let index = centre - halfWindow; index <= centre + halfWindow; index++) levelAt.set(index, targetLevel)
    const next = sameTimes[year - 1]! - halfWindow
    addBetween(levelAt, centre + halfWindow + 1, next, levelCount - 1)
  }
  const indexes = [...levelAt.keys()]
    .filter((index) => index >= 0 && index < tested - recentExcluded)
    .sort((one, other) => one - other)
  return { indexes, levels: indexes.map((index) => levelAt.get(index)!), levelCount, targetLevel }
}

/**
 * Divides the indexes from `start` up to `end` into parts; the first ones take what is left over.
 */
function addBetween(levelAt: Map<number, number>, start: number, end: number, parts: number): void {
  if (parts === 0) return
  const length = Math.floor((end - start) / parts)
  const longer = (end - start) % parts
  let index = start
  for (let part = 0; part < parts; part++)
    for (const stop = index + length + (part < longer ? 1 : 0); index < stop; index++) levelAt.set(index, part)
}
