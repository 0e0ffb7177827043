import type { Query } from '../connection.ts'
import { CHANNEL } from '../listen.ts'

/** Locked until the transaction ends: the next revision is assigned after this is visible. */
export async function lockedRevision(query: Query): Promise<number> {
  const [head] = await query<{ revision: number }>('SELECT revision FROM watch_head FOR UPDATE')
  return head!.revision
}

export async function advanceRevision(query: Query, by = 1): Promise<void> {
  await query(
    `WITH advanced AS (UPDATE watch_head SET revision = revision + $2)
     SELECT pg_notify($1, 'watches')`,
    [CHANNEL, by],
  )
}
