import type { Database } from '../database.ts'

/** The revision of the next change to a watch. */
export function nextRevision(database: Database): number {
  database.hasNotified = true
  return database.get<{ revision: number }>('UPDATE watch_head SET revision = revision + 1 RETURNING revision')!
    .revision
}
