/** The command line is wrong; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the name that a mistyped one most likely means; null if none is near. */
export function nearest(given: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, distance: name.startsWith(given) && given.length > 2 ? 0 : distanceBetween(given, name) }))
    .sort((one, other) => one.distance - other.distance)[0]
  return near !== undefined && near.distance <= Math.max(1, Math.floor(given.length / 3)) ? near.name : null
}

/** Letters to add, take away, change or swap. The words are short: typed by hand. */
function distanceBetween(one: string, other: string): number {
  const given = one.slice(0, 60)
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let line = 1; line <= given.length; line++) {
    const row = [line]
    for (let column = 1; column <= other.length; column++) {
      const isSame = given[line - 1] === other[column - 1]
      const isSwapped =
        line > 1 && column > 1 && given[line - 1] === other[column - 2] && given[line - 2] === other[column - 1]
      row.push(
        Math.min(
          rows[line - 1]![column]! + 1,
          row[column - 1]! + 1,
          rows[line - 1]![column - 1]! + (isSame ? 0 : 1),
          isSwapped ? rows[line - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}
