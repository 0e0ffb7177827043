import type { Database } from '../connection/database.ts'
import { bumpDueCounter } from './fan-out.ts'

/**
 * Makes the messages of a publication due again that were cancelled while the incident was not
 * public. Within the caller's transaction.
 */
export function reviveDeliveries(database: Database, incidentIds: readonly string[], now: number): void {
  if (incidentIds.length === 0) return
  const revived = database.run(
    `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = :now, lease_owner = NULL
     WHERE status = 'cancelled' AND kind = 'incident.created' AND test = 0 AND event_seq IN (
       SELECT seq FROM events
       WHERE incident_id IN (SELECT value FROM json_each(:ids)) AND document IS NOT NULL AND kind = 'incident.created')`,
    { ids: JSON.stringify(incidentIds), now },
  )
  if (revived > 0) bumpDueCounter(database)
}
