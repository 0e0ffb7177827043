import { createHash } from 'node:crypto'
import { canonicalRow } from './canonical-row.ts'
import type { ReadableEnd } from './ends.ts'
import { COPIED_TABLES } from './tables/tables.ts'

/** Beside the heads: a service that has run leaves a trace in one of them. */
const TOUCHED_BY_SERVICES = ['owners', 'tip_secret', 'push_keys']

/**
 * Tells whether the source is the same store as when the copy began, and unchanged: from its heads,
 * its leases and the heartbeats of its processes. Verifying compares every row.
 */
export async function fingerprintOf(source: ReadableEnd): Promise<string> {
  const hash = createHash('sha256')
  for (const table of COPIED_TABLES) {
    if (table.initial.length === 0 && !TOUCHED_BY_SERVICES.includes(table.name)) continue
    hash.update(`${table.name}\n`)
    for await (const page of source.pages(table, null)) for (const row of page) hash.update(`${canonicalRow(row)}\n`)
  }
  return hash.digest('hex')
}
