import type { Query } from '../connection/connection.ts'
import { headOf } from '../incidents/events.ts'
import { advanceRevision } from './watch-head.ts'

export interface FilterOfWatch {
  /** The watch. */
  readonly id: string
  readonly canonical: string
}

/**
 * Gives each watch its filter as `replaced` returns it, with the revisions after `revision`, which
 * the caller has locked.
 */
export async function replaceFilters(
  query: Query,
  filters: readonly FilterOfWatch[],
  replaced: (canonical: string) => string,
  revision: number,
): Promise<void> {
  if (filters.length === 0) return
  await query(
    `UPDATE watches SET canonical_filter = given.canonical, revision = $3::bigint + given.number
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (id, canonical, number)
     WHERE watches.id = given.id`,
    [filters.map(({ id }) => id), filters.map(({ canonical }) => replaced(canonical)), revision],
  )
  await noteChangedFilters(
    query,
    filters.map(({ id }) => id),
  )
  await advanceRevision(query, filters.length)
}

/** From which event on the watches have another filter. */
export async function noteChangedFilters(query: Query, ids: readonly string[]): Promise<void> {
  const { seq } = await headOf(query)
  await query('UPDATE watches SET filter_seq = $1 WHERE id = ANY($2)', [seq, ids])
}
