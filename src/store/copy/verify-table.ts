import { createHash } from 'node:crypto'
import { canonicalRow } from './canonical-row.ts'
import { CopyRefused } from './copy-refused.ts'
import type { ReadableEnd } from './ends.ts'
import { type CopiedRow, type CopiedTable, keyOf } from './tables/table.ts'

export interface VerifiedTable {
  readonly rows: number
  /** SHA-256 of the canonical rows that were read back from the target. */
  readonly checksum: string
}

/** Reads the table from both ends and compares it row by row. */
export async function verifyTable(
  table: CopiedTable,
  source: ReadableEnd,
  target: ReadableEnd,
  onRows: (rows: number) => void,
): Promise<VerifiedTable> {
  const checksum = createHash('sha256')
  const expected = rowsOf(source.pages(table, null))
  let rows = 0
  for await (const page of target.pages(table, null)) {
    for (const row of page) {
      const text = canonicalRow(row)
      const next = await expected.next()
      if (next.done) throw different(table, row, 'is only in the target')
      if (canonicalRow(next.value) !== text) throw different(table, next.value, 'is not the same in the target')
      checksum.update(text).update('\n')
      rows++
    }
    onRows(page.length)
  }
  const next = await expected.next()
  if (!next.done) throw different(table, next.value, 'is missing in the target')
  return { rows, checksum: checksum.digest('hex') }
}

async function* rowsOf(pages: AsyncIterable<readonly CopiedRow[]>): AsyncGenerator<CopiedRow, void> {
  for await (const page of pages) yield* page
}

function different(table: CopiedTable, row: CopiedRow, what: string): CopyRefused {
  return new CopyRefused(
    `${table.name}: the row ${keyOf(table, row).join(', ')} ${what}. Somebody has written to one of the stores: begin again with an empty target`,
  )
}
