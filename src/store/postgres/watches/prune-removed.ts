import type { Query } from '../connection/connection.ts'

/**
 * Runs within the caller's transaction. Locks the watches' head, so that one node prunes at a time.
 */
export async function pruneRemoved(query: Query, now: number, before: number, limit: number): Promise<number> {
  await query('SELECT FROM watch_head FOR UPDATE')
  // A time in the future was written by a wrong clock.
  await query('UPDATE removed_watches SET emptied_at = $1 WHERE emptied AND (emptied_at IS NULL OR emptied_at > $1)', [
    now,
  ])
  const pruned = await query<{ revision: number }>(
    `DELETE FROM removed_watches WHERE id = ANY (ARRAY(
       SELECT id FROM removed_watches WHERE emptied AND emptied_at < $1 ORDER BY revision LIMIT $2
     ))
     RETURNING revision`,
    [before, limit],
  )
  if (pruned.length > 0) {
    const last = Math.max(...pruned.map(({ revision }) => revision))
    await query('UPDATE watch_head SET pruned_revision = greatest(pruned_revision, $1)', [last])
  }
  return pruned.length
}
