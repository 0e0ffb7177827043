import type { Query } from '../connection/connection.ts'

/**
 * Runs within the caller's transaction. An endpoint may answer with the message that it received.
 */
export async function clearEndpointAnswers(query: Query, incidentId: string, limit: number): Promise<number> {
  const cleared = await query(
    `UPDATE attempts SET answer = NULL
     FROM (
       SELECT delivery_id, number
       FROM events
       JOIN deliveries ON deliveries.event_seq = events.seq AND NOT deliveries.test
       JOIN attempts ON attempts.delivery_id = deliveries.id
       WHERE events.incident_id = $1 AND events.document IS NOT NULL AND attempts.answer IS NOT NULL
       LIMIT $2
     ) AS found
     WHERE attempts.delivery_id = found.delivery_id AND attempts.number = found.number
     RETURNING attempts.number`,
    [incidentId, limit],
  )
  return cleared.length
}

/** A test message shows some incident, and its row does not say which. */
export async function clearTestAnswers(query: Query, before: number, limit: number): Promise<number> {
  const cleared = await query(
    `UPDATE attempts SET answer = NULL
     FROM (
       SELECT delivery_id, number FROM deliveries JOIN attempts ON attempts.delivery_id = deliveries.id
       WHERE deliveries.test AND deliveries.created_at <= $1 AND attempts.answer IS NOT NULL
       LIMIT $2
     ) AS found
     WHERE attempts.delivery_id = found.delivery_id AND attempts.number = found.number
     RETURNING attempts.number`,
    [before, limit],
  )
  return cleared.length
}

/**
 * Empties the stored answers of requests that began before the redaction and mention the incident;
 * a repetition is told so. An answer without mentions was stored before mentions were.
 */
export async function clearRequestAnswers(
  query: Query,
  incidentId: string,
  before: number,
  limit: number,
): Promise<number> {
  const cleared = await query(
    `UPDATE idempotency SET answer = ''::bytea, bytes = 0, redacted = true
     WHERE id = ANY (ARRAY(
       SELECT id FROM idempotency
       WHERE claimed_at <= $1 AND bytes > 0 AND (mentions IS NULL OR strpos(mentions, $2) > 0)
       LIMIT $3
     ))
     RETURNING id`,
    [before, incidentId, limit],
  )
  return cleared.length
}
