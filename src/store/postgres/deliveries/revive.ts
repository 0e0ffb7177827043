import type { Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'
import { notifyDue } from './fan-out.ts'

/**
 * Makes the messages of a publication due again that were cancelled while the incident was not
 * public. Within the caller's transaction.
 */
export async function reviveDeliveries(query: Query, incidentIds: readonly string[], now: number): Promise<void> {
  if (incidentIds.length === 0) return
  const revived = await query(
    `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = $2, lease_owner = NULL
     WHERE status = 'cancelled' AND kind = 'incident.created' AND NOT test AND event_seq IN (
       SELECT seq FROM events WHERE incident_id = ANY ($1) AND document IS NOT NULL AND kind = 'incident.created')
     RETURNING id`,
    [textArray(incidentIds), now],
  )
  if (revived.length > 0) await notifyDue(query)
}
