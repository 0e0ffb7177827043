import { CopyRefused } from '../store.ts'
import type { CopiedRow, CopiedTable, CopiedValue } from './tables.ts'

/** A store that no service is using. It is kept so, as far as the database permits. */
export interface ReadableEnd extends AsyncDisposable {
  readonly schemaVersion: number
  /** Reads the rows after the key, in the order of the key, in pages of bounded size. */
  pages(table: CopiedTable, after: readonly CopiedValue[] | null): AsyncIterable<readonly CopiedRow[]>
}

export interface CopySource extends ReadableEnd {
  /** Reads the present state from here on. Refuses if a service is using the source. */
  readAgain(): Promise<void>
}

/** Keeps the progress of an unfinished copy, by table, as texts. */
export interface CopyTarget extends ReadableEnd {
  /** Null if nothing is stored under the name, or no copy was begun. */
  stateOf(name: string): Promise<string | null>
  begin(name: string, state: string): Promise<void>
  /** Writes rows and state in one transaction. `first`: what migrations inserted is deleted. */
  write(table: CopiedTable, rows: readonly CopiedRow[], state: string, first: boolean): Promise<void>
  /** Sets the numbers that the database gives next, and makes the target a store like any other. */
  finish(tables: readonly CopiedTable[]): Promise<void>
}

/** A copy changes no schema: rows mean the same on both sides only at the same version. */
export function checkVersion(end: 'source' | 'target', version: number, newest: number): void {
  if (version === newest) return
  if (version === 0) throw new CopyRefused(`The ${end} is not a store of this service`)
  const has = `The ${end} has schema version ${version}, this build has ${newest}`
  if (version > newest) throw new CopyRefused(`${has}: use the newer build that wrote it`)
  throw new CopyRefused(
    end === 'source'
      ? `${has}: back it up, start this build on it once, which migrates it, stop it, and copy then`
      : `${has}: name a new file, or create an empty database`,
  )
}

const PAGE_ROWS = 1_000
const PAGE_BYTES = 2_000_000

/** Groups rows to a bounded size, so that memory does not grow with the store. */
export async function* inPages(
  rows: Iterable<CopiedRow> | AsyncIterable<CopiedRow>,
): AsyncGenerator<readonly CopiedRow[]> {
  let page: CopiedRow[] = []
  let bytes = 0
  for await (const row of rows) {
    page.push(row)
    for (const value of row) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    if (page.length < PAGE_ROWS && bytes < PAGE_BYTES) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}
