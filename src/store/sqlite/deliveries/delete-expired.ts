import type { Database } from '../database.ts'

/** Runs within the caller's transaction: first deliveries of removed watches, then old ones. */
export function deleteExpired(database: Database, before: number, limit: number): number {
  const orphans = database.run(
    `DELETE FROM deliveries WHERE id IN (
       SELECT deliveries.id FROM removed_watches CROSS JOIN deliveries ON deliveries.watch_id = removed_watches.id
       WHERE removed_watches.emptied = 0 AND deliveries.lease_owner IS NULL
       UNION ALL
       SELECT deliveries.id FROM deliveries CROSS JOIN removed_watches ON removed_watches.id = deliveries.watch_id
       WHERE removed_watches.emptied = 0 AND deliveries.lease_owner IS NOT NULL
       LIMIT +?
     )`,
    [limit],
  )
  if (orphans === limit) return orphans
  database.run('UPDATE removed_watches SET emptied = 1 WHERE emptied = 0')
  const old = database.run(
    `DELETE FROM deliveries WHERE id IN (
       SELECT id FROM deliveries WHERE finished_at < ? ORDER BY finished_at LIMIT +?
     )`,
    [before, limit - orphans],
  )
  return orphans + old
}
