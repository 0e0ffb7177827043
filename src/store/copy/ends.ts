import type { CopiedRow, CopiedTable, CopiedValue } from './tables/table.ts'

/** The progress of a table's copy, written in the same transaction as its last rows. */
export interface TableProgress {
  readonly rows: number
  /** The key of the last row that was written; null if there was none. */
  readonly after: readonly (string | number | boolean)[] | null
  readonly copied: boolean
  /** Set when every row was read back and compared. */
  readonly checksum: string | null
}

/** A store that no service is using. It is kept so, as far as the database permits. */
export interface ReadableEnd extends AsyncDisposable {
  readonly schemaVersion: number
  /** Reads the rows after the key, in the order of the key, in pages of bounded size. */
  pages(table: CopiedTable, after: readonly CopiedValue[] | null): AsyncIterable<readonly CopiedRow[]>
}

export interface CopySource extends ReadableEnd {
  /** Refuses if a service has used the source since it was opened. */
  checkUnused(): Promise<void>
}

export interface CopyTarget extends ReadableEnd {
  /** The fingerprint of the source whose copy has not finished; null if none was begun. */
  unfinishedCopyOf(): Promise<string | null>
  begin(fingerprint: string): Promise<void>
  progressOf(table: CopiedTable): Promise<TableProgress | null>
  /** Writes rows and progress in one transaction. `first`: what migrations inserted is deleted. */
  write(table: CopiedTable, rows: readonly CopiedRow[], progress: TableProgress, first: boolean): Promise<void>
  /** Sets the numbers that the database gives next, and makes the target a store like any other. */
  finish(tables: readonly CopiedTable[]): Promise<void>
}

/** Rows are grouped to this size, so that memory does not grow with the store. */
export const PAGE_ROWS = 1_000
export const PAGE_BYTES = 2_000_000

/** The table in the target that keeps the progress; a store that has it cannot be served. */
export const PROGRESS_TABLE = 'unfinished_copy'
/** The row of that table with the fingerprint of the source. */
export const FINGERPRINT_ROW = 'source'

export const UNFINISHED_COPY =
  'The database is the target of a copy that has not finished: run the same incident-feed copy again, and then start the service'

/** A number that groups rows: the length of their texts and bytes. */
export function sizeOfRow(row: CopiedRow): number {
  let size = 0
  for (const value of row)
    size += typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.length : 8
  return size
}
