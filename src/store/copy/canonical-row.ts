import type { CopiedRow } from './tables/table.ts'

/** One text for each row, equal for equal rows, whichever store they were read from. */
export function canonicalRow(row: CopiedRow): string {
  return JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value)),
  )
}
