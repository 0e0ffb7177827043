import { isDeepStrictEqual } from 'node:util'

export type Row = Readonly<Record<string, unknown>>

/** The rows of every table by primary key; a row of a table without one is its own key. */
export type KeyedTables = ReadonlyMap<string, ReadonlyMap<string, Row>>

export function keyedTables(
  tables: Readonly<Record<string, readonly Row[]>>,
  keys: Readonly<Record<string, readonly string[]>>,
): KeyedTables {
  const keyOf = (table: string, row: Row) => {
    const columns = keys[table] ?? []
    return JSON.stringify(columns.length === 0 ? row : columns.map((column) => row[column]))
  }
  return new Map(
    Object.entries(tables).map(([table, rows]) => [table, new Map(rows.map((row) => [keyOf(table, row), row]))]),
  )
}

/**
 * Compares a copy with its original, which was read before and after the copy was made. Every row
 * that the original had at both times must be in the copy, the same if it has not changed; and the
 * copy must have no row that the original never had. Returns one sentence for each difference.
 */
export function findTableDifferences(before: KeyedTables, after: KeyedTables, copy: KeyedTables): string[] {
  const problems: string[] = []
  for (const table of new Set([...before.keys(), ...copy.keys()])) {
    const [first, last, copied] = [before, after, copy].map((tables) => tables.get(table) ?? new Map<string, Row>())
    if (!before.has(table)) problems.push(`the copy has a table ${table}`)
    if (!copy.has(table)) problems.push(`the copy has no table ${table}`)
    for (const [key, row] of first!) {
      if (!last!.has(key)) continue
      const inCopy = copied!.get(key)
      if (inCopy === undefined) problems.push(`${table} ${key} is missing in the copy`)
      else if (isDeepStrictEqual(row, last!.get(key)) && !isDeepStrictEqual(row, inCopy))
        problems.push(`${table} ${key} is different in the copy`)
    }
    for (const key of copied!.keys())
      if (!first!.has(key) && !last!.has(key)) problems.push(`${table} ${key} is only in the copy`)
  }
  return problems
}
