import type { Database } from '../connection/database.ts'
import { headOf } from '../incidents/events.ts'
import { nextRevision } from './watch-head.ts'

export interface FilterOfWatch {
  /** The watch. */
  readonly id: string
  readonly canonical: string
}

/** Gives each watch its filter as `replaced` returns it, with a new revision. */
export function replaceFilters(
  database: Database,
  filters: readonly FilterOfWatch[],
  replaced: (canonical: string) => string,
): void {
  for (const { id, canonical } of filters) {
    database.run('UPDATE watches SET canonical_filter = ?, revision = ? WHERE id = ?', [
      replaced(canonical),
      nextRevision(database),
      id,
    ])
    noteChangedFilter(database, id)
  }
}

/** From which event on the watch has another filter. */
export function noteChangedFilter(database: Database, id: string): void {
  database.run('UPDATE watches SET filter_seq = ? WHERE id = ?', [headOf(database).seq, id])
}
