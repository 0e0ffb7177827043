import type { Database } from '../connection/database.ts'

/** Runs within the caller's transaction. */
export function pruneRemoved(database: Database, now: number, before: number, limit: number): number {
  // A time in the future was written by a wrong clock.
  database.run(
    'UPDATE removed_watches SET emptied_at = :now WHERE emptied = 1 AND (emptied_at IS NULL OR emptied_at > :now)',
    { now },
  )
  const pruned = database.all<{ revision: number }>(
    `DELETE FROM removed_watches WHERE id IN (
       SELECT id FROM removed_watches WHERE emptied = 1 AND emptied_at < ? ORDER BY revision LIMIT +?
     )
     RETURNING revision`,
    [before, limit],
  )
  if (pruned.length > 0) {
    const last = Math.max(...pruned.map(({ revision }) => revision))
    database.run('UPDATE watch_head SET pruned_revision = max(pruned_revision, ?)', [last])
  }
  return pruned.length
}
