import type { KeyedTables, Row } from './compare-tables.ts'

const TABLE = 'desk_counts'

/**
 * Its numbers go up and down: equal ones before and after a backup say nothing of the time between.
 */
export function withoutDeskCounts(tables: KeyedTables): KeyedTables {
  return new Map([...tables].filter(([table]) => table !== TABLE))
}

/** Compares the desk's counts of a copy with the entries of the same copy. */
export function findCountDifferences(copy: KeyedTables): string[] {
  const keyOf = ({ status, origin, severity }: Row) => `${status} ${origin} ${severity}`
  const counted = new Map<string, number>()
  for (const row of rowsOf(copy, 'desk_entries')) counted.set(keyOf(row), (counted.get(keyOf(row)) ?? 0) + 1)
  const stored = new Map(rowsOf(copy, TABLE).map((row) => [keyOf(row), Number(row.entries)]))
  return [...new Set([...counted.keys(), ...stored.keys()])].flatMap((key) => {
    const [inEntries, inCounts] = [counted.get(key) ?? 0, stored.get(key) ?? 0]
    return inEntries === inCounts ? [] : [`${TABLE} says ${inCounts} for ${key}, and there are ${inEntries}`]
  })
}

function rowsOf(tables: KeyedTables, table: string): Row[] {
  const rows = tables.get(table)
  if (rows === undefined) throw new Error(`the copy has no table ${table}`)
  return [...rows.values()]
}
