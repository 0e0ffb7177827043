import type { Format, Open, ReadOptions, Row } from '../../../../src/desk/importing/formats/format.ts'

export const NOW = Date.UTC(2026, 10, 15)

export type Content = string | Uint8Array

/** A file in memory, cut into chunks of these lengths, the last of which is repeated. */
export function openOf(content: Content, lengths: readonly number[] = [65_536]): Open {
  const bytes = Buffer.from(content)
  return async function* (offset) {
    for (let at = offset, chunk = 0; at < bytes.length; chunk++) {
      const length = Math.max(1, lengths[Math.min(chunk, lengths.length - 1)]!)
      yield bytes.subarray(at, at + length)
      at += length
    }
  }
}

export async function rowsOf(
  format: Format,
  content: Content,
  options: Partial<ReadOptions> = {},
  lengths?: readonly number[],
): Promise<Row[]> {
  return Array.fromAsync(format.read(openOf(content, lengths), { now: NOW, ...options }))
}

/** The one row of a file with one row. */
export async function rowOf(format: Format, content: Content, options: Partial<ReadOptions> = {}): Promise<Row> {
  const rows = await rowsOf(format, content, options)
  if (rows.length !== 1) throw new Error(`${rows.length} rows, not 1`)
  return rows[0]!
}

export function reportIn(row: Row) {
  if (row.kind !== 'report') throw new Error(`no report: ${JSON.stringify(row)}`)
  return row
}

export function reasonIn(row: Row): string {
  if (row.kind !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(row)}`)
  return row.reason
}

/** Describes each row in short: its number, and the reason if it was rejected. */
export function outcomes(rows: readonly Row[]): string[] {
  return rows.map((row) =>
    row.kind === 'rejected' ? `${row.row} rejected: ${row.reason}` : `${row.row} ${row.sourceId}`,
  )
}
