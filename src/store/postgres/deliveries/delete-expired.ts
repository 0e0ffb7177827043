import type { Query } from '../connection.ts'

/** Runs within the caller's transaction: first deliveries of removed watches, then old ones. */
export async function deleteExpired(query: Query, before: number, limit: number): Promise<number> {
  const orphans = await query<{ id: string }>(
    `DELETE FROM deliveries WHERE id = ANY (ARRAY(
       SELECT deliveries.id FROM removed_watches JOIN deliveries ON deliveries.watch_id = removed_watches.id
       WHERE NOT removed_watches.emptied
       LIMIT $1
       FOR UPDATE OF deliveries SKIP LOCKED
     ))
     RETURNING id`,
    [limit],
  )
  // Checks each watch, because another node may have locked some of its deliveries.
  await query(
    `UPDATE removed_watches SET emptied = true
     WHERE NOT emptied AND NOT EXISTS (SELECT 1 FROM deliveries WHERE watch_id = removed_watches.id)`,
  )
  const old = await query<{ id: string }>(
    `DELETE FROM deliveries WHERE id = ANY (ARRAY(
       SELECT id FROM deliveries WHERE finished_at < $1
       ORDER BY finished_at
       LIMIT $2
       FOR UPDATE SKIP LOCKED
     ))
     RETURNING id`,
    [before, limit - orphans.length],
  )
  const ids = [...orphans, ...old].map(({ id }) => id)
  await query('DELETE FROM attempts WHERE delivery_id = ANY($1)', [ids])
  return ids.length
}
