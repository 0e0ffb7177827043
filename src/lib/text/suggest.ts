const DEFAULT_MAX = 3

/** Damerau–Levenshtein distance (an adjacent swap counts once); at most `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforePrevious[column - 2]! + 1)
      }
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return limit + 1
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[b.length]!, limit + 1)
}

/** The names most similar to `text`, nearest first; possibly none. */
export function suggestNames(text: string, names: Iterable<string>, max: number = DEFAULT_MAX): string[] {
  const wanted = text.trim().toLowerCase().slice(0, 64)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const name of names) {
    const candidate = name.toLowerCase()
    const begins = wanted.length >= 3 && candidate.startsWith(wanted)
    const distance = begins ? 0.5 : editDistance(wanted, candidate, limit)
    if (distance <= limit) near.push({ name, distance })
  }
  near.sort((one, other) => one.distance - other.distance || one.name.localeCompare(other.name))
  return [...new Set(near.map(({ name }) => name))].slice(0, max)
}
