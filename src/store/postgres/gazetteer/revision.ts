import type { Query } from '../connection/connection.ts'
import { CHANNEL } from '../connection/listen.ts'

/** Makes the other writers wait until the transaction ends. */
export async function lockHead(query: Query): Promise<void> {
  await query('SELECT revision FROM gazetteer_head FOR UPDATE')
}

/** Within the transaction of the change; those who follow are notified when it commits. */
export async function nextRevision(query: Query): Promise<number> {
  const [row] = await query<{ revision: number }>(
    'UPDATE gazetteer_head SET revision = revision + 1 RETURNING revision',
  )
  await query(`SELECT pg_notify($1, 'gazetteer')`, [CHANNEL])
  return row!.revision
}
