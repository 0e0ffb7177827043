const DEFAULT_MAX = 3
/** No name is longer; the rest of a longer text is ignored. */
const MAX_TEXT_LENGTH = 64

/** The names most similar to `text`, nearest first; possibly none. */
export function suggestNames(text: string, names: Iterable<string>, max: number = DEFAULT_MAX): string[] {
  const wanted = text.trim().slice(0, MAX_TEXT_LENGTH).toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const name of names) {
    const begins = wanted.length >= 3 && name.length >= wanted.length && name.toLowerCase().startsWith(wanted)
    if (!begins && Math.abs(name.length - wanted.length) > limit) continue
    const distance = begins ? 0.5 : editDistance(wanted, name.toLowerCase(), limit)
    if (distance <= limit) near.push({ name, distance })
  }
  near.sort((one, other) => one.distance - other.distance || one.name.localeCompare(other.name))
  return [...new Set(near.map(({ name }) => name))].slice(0, max)
}

const MAX_LENGTH = 255
/** Reused rows: a suggestion compares a text with up to 1,500 names. */
let beforePrevious = new Uint16Array(MAX_LENGTH + 1)
let previous = new Uint16Array(MAX_LENGTH + 1)
let current = new Uint16Array(MAX_LENGTH + 1)

/**
 * Damerau–Levenshtein distance (an adjacent swap counts once); at most `limit + 1`. Works out only
 * the cells within `limit` of the diagonal, which alone can lead to a distance up to `limit`, and
 * stops at the first row that has none.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1
  if (Math.abs(a.length - b.length) > limit) return tooFar
  if (b.length > MAX_LENGTH) return a === b ? 0 : tooFar
  for (let column = 0; column <= b.length; column++) previous[column] = column
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit)
    const last = Math.min(b.length, row + limit)
    current[first - 1] = first === 1 ? row : tooFar
    let least: number = current[first - 1]!
    const letter = a.charCodeAt(row - 1)
    for (let column = first; column <= last; column++) {
      const other = b.charCodeAt(column - 1)
      // The cell above the band's end was not worked out.
      const above = column < row + limit ? previous[column]! + 1 : tooFar
      let cost = Math.min(above, current[column - 1]! + 1, previous[column - 1]! + (letter === other ? 0 : 1))
      if (row > 1 && column > 1 && letter === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other)
        cost = Math.min(cost, beforePrevious[column - 2]! + 1)
      current[column] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return tooFar
    const spare = beforePrevious
    beforePrevious = previous
    previous = current
    current = spare
  }
  return Math.min(previous[b.length]!, tooFar)
}
