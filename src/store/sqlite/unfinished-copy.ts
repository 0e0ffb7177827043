import { PROGRESS_TABLE, UNFINISHED_COPY } from '../copy/ends.ts'
import { StoreUnusable } from '../store.ts'
import type { Database } from './connection/database.ts'

/** A store that has only a part of its rows must not be served. */
export function refuseUnfinishedCopy(database: Database): void {
  if (hasUnfinishedCopy(database)) throw new StoreUnusable(UNFINISHED_COPY)
}

export function hasUnfinishedCopy(database: Database): boolean {
  return database.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '${PROGRESS_TABLE}'`) !== undefined
}
