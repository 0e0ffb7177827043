import type pg from 'pg'
import { PROGRESS_TABLE, UNFINISHED_COPY } from '../copy/ends.ts'
import { StoreUnusable } from '../store.ts'

/** A store that has only a part of its rows must not be served. */
export async function refuseUnfinishedCopy(client: pg.ClientBase): Promise<void> {
  if (await hasUnfinishedCopy(client)) throw new StoreUnusable(UNFINISHED_COPY)
}

export async function hasUnfinishedCopy(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_tables WHERE tablename = $1 AND schemaname = current_schema()',
    [PROGRESS_TABLE],
  )
  return rows.length > 0
}
