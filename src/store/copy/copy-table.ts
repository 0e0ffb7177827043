import type { CopySource, CopyTarget, TableProgress } from './ends.ts'
import { type CopiedTable, type CopiedValue, keyOf } from './tables/table.ts'

/** Copies the rows that the target does not have yet. Returns how many it has then. */
export async function copyTable(
  table: CopiedTable,
  source: CopySource,
  target: CopyTarget,
  onRows: (rows: number) => void,
): Promise<TableProgress> {
  const begun = await target.progressOf(table)
  if (begun?.copied) return begun
  let progress: TableProgress = begun ?? { rows: 0, after: null, copied: false, checksum: null }
  let first = begun === null
  for await (const rows of source.pages(table, progress.after)) {
    progress = { ...progress, rows: progress.rows + rows.length, after: storableKey(keyOf(table, rows.at(-1)!)) }
    await target.write(table, rows, progress, first)
    first = false
    onRows(rows.length)
  }
  const copied = { ...progress, copied: true }
  await target.write(table, [], copied, first)
  return copied
}

/** The position is stored as JSON. */
function storableKey(values: readonly CopiedValue[]): (string | number | boolean)[] {
  return values.map((value) => {
    if (value === null || value instanceof Uint8Array) throw new TypeError('a key has no null and no bytes')
    return value
  })
}
