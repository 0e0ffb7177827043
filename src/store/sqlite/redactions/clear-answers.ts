import type { Database } from '../connection/database.ts'

/**
 * Runs within the caller's transaction. An endpoint may answer with the message that it received.
 */
export function clearEndpointAnswers(database: Database, incidentId: string, limit: number): number {
  const first = database.run(
    `UPDATE deliveries SET first_answer = NULL
     WHERE id IN (
       SELECT deliveries.id FROM events JOIN deliveries ON deliveries.event_seq = events.seq AND deliveries.test = 0
       WHERE events.incident_id = ? AND events.document IS NOT NULL AND deliveries.first_answer IS NOT NULL
       LIMIT +?
     )`,
    [incidentId, limit],
  )
  const later = database.run(
    `UPDATE attempts SET answer = NULL
     WHERE (delivery_id, number) IN (
       SELECT delivery_id, number
       FROM events
       JOIN deliveries ON deliveries.event_seq = events.seq AND deliveries.test = 0
       JOIN attempts ON attempts.delivery_id = deliveries.id
       WHERE events.incident_id = ? AND events.document IS NOT NULL AND attempts.answer IS NOT NULL
       LIMIT +?
     )`,
    [incidentId, limit],
  )
  return first + later
}

/** A test message shows some incident, and its row does not say which. */
export function clearTestAnswers(database: Database, before: number, limit: number): number {
  return database.run(
    `UPDATE attempts SET answer = NULL
     WHERE (delivery_id, number) IN (
       SELECT delivery_id, number FROM deliveries JOIN attempts ON attempts.delivery_id = deliveries.id
       WHERE deliveries.test = 1 AND deliveries.created_at <= ? AND attempts.answer IS NOT NULL
       LIMIT +?
     )`,
    [before, limit],
  )
}

/**
 * Empties the stored answers of requests that began before the redaction and mention the incident;
 * a repetition is told so. An answer without mentions was stored before mentions were.
 */
export function clearRequestAnswers(database: Database, incidentId: string, before: number, limit: number): number {
  return database.run(
    `UPDATE idempotency SET answer = x'', bytes = 0, redacted = 1
     WHERE id IN (
       SELECT id FROM idempotency
       WHERE claimed_at <= ? AND bytes > 0 AND (mentions IS NULL OR instr(mentions, ?) > 0)
       LIMIT +?
     )`,
    [before, incidentId, limit],
  )
}
