import type { Database } from '../connection/database.ts'

/** Within the transaction of the change. */
export function nextRevision(database: Database): number {
  database.hasNotified = true
  return database.get<{ revision: number }>('UPDATE gazetteer_head SET revision = revision + 1 RETURNING revision')!
    .revision
}
