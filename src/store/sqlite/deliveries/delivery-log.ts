import { DELIVERY_STATUSES } from '../../../domain/delivery.ts'
import {
  type DeliveryDetails,
  type DeliveryPosition,
  type DeliveryQuery,
  type LoggedDelivery,
  MAX_LISTED_ATTEMPTS,
} from '../../interface/deliveries.ts'
import {
  type AttemptRow,
  attemptOf,
  type DeliveryRow,
  deliveryOf,
  FIRST_POSITION,
  type LoggedRow,
  loggedOf,
} from '../../shared/rows/delivery-rows.ts'
import type { Database } from '../database.ts'

/** Methods that read what was sent. */
export function deliveryLog(database: Database) {
  return {
    list(accountId: string, query: DeliveryQuery): LoggedDelivery[] {
      const watchIds = ownWatches(database, accountId, query.watchIds)
      const positions =
        query.eventSeqs === null
          ? positionsOfWatches(database, watchIds, query)
          : positionsOfEvents(database, watchIds, query.eventSeqs, query)
      const rows = database.all<LoggedRow>(
        `SELECT deliveries.*,
                CASE WHEN deliveries.test THEN deliveries.test_incident_id ELSE events.incident_id END AS incident_id,
                coalesce(last.at, deliveries.first_at) AS last_at,
                coalesce(last.duration, deliveries.first_duration) AS last_duration,
                coalesce(last.outcome, 'delivered') AS last_outcome,
                CASE WHEN last.at IS NULL THEN deliveries.first_status_code ELSE last.status_code END AS last_status_code
         FROM json_each(?) AS found
         JOIN deliveries ON deliveries.id = found.value
         LEFT JOIN events ON events.seq = deliveries.event_seq
         LEFT JOIN attempts AS last ON last.delivery_id = deliveries.id AND last.number = deliveries.attempts
         ORDER BY deliveries.event_seq DESC, deliveries.id DESC`,
        [JSON.stringify(positions.map(({ id }) => id))],
      )
      return rows.map(loggedOf)
    },

    find(accountId: string, id: string): DeliveryDetails | null {
      const row = database.get<DeliveryRow & { incident_id: string | null }>(
        `SELECT deliveries.*,
                CASE WHEN deliveries.test THEN deliveries.test_incident_id ELSE events.incident_id END AS incident_id
         FROM deliveries
         JOIN watches ON watches.id = deliveries.watch_id
         LEFT JOIN events ON events.seq = deliveries.event_seq
         WHERE deliveries.id = ? AND watches.account_id = ?`,
        [id, accountId],
      )
      if (row === undefined) return null
      const attempts = database.all<AttemptRow>(
        `SELECT 1 AS number, first_at AS at, first_duration AS duration, 'delivered' AS outcome,
                first_status_code AS status_code, first_answer AS answer, NULL AS error,
                first_content_seq AS content_seq
         FROM deliveries WHERE id = :id AND first_at IS NOT NULL
         UNION ALL
         SELECT number, at, duration, outcome, status_code, answer, error, content_seq
         FROM attempts WHERE delivery_id = :id
         ORDER BY number DESC
         LIMIT +:limit`,
        { id, limit: MAX_LISTED_ATTEMPTS },
      )
      return {
        delivery: deliveryOf(row),
        incidentId: row.incident_id,
        attempts: attempts.reverse().map(attemptOf),
      }
    },
  }
}

function ownWatches(database: Database, accountId: string, ids: readonly string[]): string[] {
  return database
    .all<{ id: string }>(
      `SELECT watches.id FROM json_each(?) AS asked JOIN watches ON watches.id = asked.value
       WHERE watches.account_id = ?`,
      [JSON.stringify(ids), accountId],
    )
    .map(({ id }) => id)
}

/** Leased deliveries are in no index by watch (decision 5); they are few, and none is a test. */
function positionsOfWatches(
  database: Database,
  watchIds: readonly string[],
  { status, kind, afterSeq, tests, before, limit }: DeliveryQuery,
): DeliveryPosition[] {
  const { eventSeq: beforeSeq, id: beforeId } = before ?? FIRST_POSITION
  const range = { kind, afterSeq, beforeSeq, beforeId }
  const sent = { sentFrom: tests.from, sentTo: tests.to }
  let found = database
    .all<DeliveryPosition>(
      `SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_leased
       WHERE lease_owner IS NOT NULL AND watch_id IN (SELECT value FROM json_each(:watchIds))
         AND (:status IS NULL OR :status = 'pending') AND (:kind IS NULL OR kind = :kind)
         AND event_seq > :afterSeq AND (event_seq, id) < (:beforeSeq, :beforeId)`,
      { ...range, status, watchIds: JSON.stringify(watchIds) },
    )
    .toSorted(newestFirst)
    .slice(0, limit)
  for (const watchId of watchIds) {
    // A full page needs nothing of the other watches that is older than its last entry.
    const floor = found.length < limit ? afterSeq : Math.max(afterSeq, found.at(-1)!.eventSeq)
    const rows = newestOf(database, { watchId, status, floor, limit, ...range, ...sent })
    if (rows.length > 0) found = [...found, ...rows].toSorted(newestFirst).slice(0, limit)
  }
  return found
}

interface Walk {
  readonly watchId: string
  readonly status: string | null
  readonly kind: string | null
  readonly afterSeq: number
  /** Nothing below this is read. A test has the number of the event before it. */
  readonly floor: number
  readonly sentFrom: number
  readonly sentTo: number
  readonly beforeSeq: number
  readonly beforeId: string
  readonly limit: number
}

/** Follows an index from the newest event on, up to `limit` entries of each status. */
function newestOf(database: Database, walk: Walk): DeliveryPosition[] {
  if (walk.kind !== null && walk.kind !== 'incident.created') return newestOfKind(database, walk)
  return database.all<DeliveryPosition>(
    `SELECT * FROM (SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_watch
       WHERE watch_id = :watchId AND status = 'pending' AND lease_owner IS NULL AND (:kind IS NULL OR kind = :kind)
         AND event_seq >= :floor AND (event_seq, id) < (:beforeSeq, :beforeId) AND (:status IS NULL OR :status = 'pending')
         AND CASE WHEN test THEN created_at >= :sentFrom AND created_at < :sentTo ELSE event_seq > :afterSeq END
       ORDER BY event_seq DESC, id DESC LIMIT +:limit)
     UNION ALL
     SELECT * FROM (SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_watch
       WHERE watch_id = :watchId AND status = 'delivered' AND lease_owner IS NULL AND (:kind IS NULL OR kind = :kind)
         AND event_seq >= :floor AND (event_seq, id) < (:beforeSeq, :beforeId) AND (:status IS NULL OR :status = 'delivered')
         AND CASE WHEN test THEN created_at >= :sentFrom AND created_at < :sentTo ELSE event_seq > :afterSeq END
       ORDER BY event_seq DESC, id DESC LIMIT +:limit)
     UNION ALL
     SELECT * FROM (SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_watch
       WHERE watch_id = :watchId AND status = 'failed' AND lease_owner IS NULL AND (:kind IS NULL OR kind = :kind)
         AND event_seq >= :floor AND (event_seq, id) < (:beforeSeq, :beforeId) AND (:status IS NULL OR :status = 'failed')
         AND CASE WHEN test THEN created_at >= :sentFrom AND created_at < :sentTo ELSE event_seq > :afterSeq END
       ORDER BY event_seq DESC, id DESC LIMIT +:limit)
     UNION ALL
     SELECT * FROM (SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_watch
       WHERE watch_id = :watchId AND status = 'cancelled' AND lease_owner IS NULL AND (:kind IS NULL OR kind = :kind)
         AND event_seq >= :floor AND (event_seq, id) < (:beforeSeq, :beforeId) AND (:status IS NULL OR :status = 'cancelled')
         AND CASE WHEN test THEN created_at >= :sentFrom AND created_at < :sentTo ELSE event_seq > :afterSeq END
       ORDER BY event_seq DESC, id DESC LIMIT +:limit)`,
    { ...walk },
  )
}

/** Corrections and retractions are rare: they have an index of their own. */
function newestOfKind(database: Database, { status, ...walk }: Walk): DeliveryPosition[] {
  const statuses = status === null ? DELIVERY_STATUSES : [status]
  return statuses.flatMap((each) =>
    database.all<DeliveryPosition>(
      `SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY deliveries_kind
       WHERE watch_id = :watchId AND status = :status AND lease_owner IS NULL
         AND kind = :kind AND kind <> 'incident.created'
         AND event_seq >= :floor AND (event_seq, id) < (:beforeSeq, :beforeId)
         AND CASE WHEN test THEN created_at >= :sentFrom AND created_at < :sentTo ELSE event_seq > :afterSeq END
       ORDER BY event_seq DESC, id DESC
       LIMIT +:limit`,
      { ...walk, status: each },
    ),
  )
}

/** Looks each pair up: an incident has few events, but an event may have a million deliveries. */
function positionsOfEvents(
  database: Database,
  watchIds: readonly string[],
  eventSeqs: readonly number[],
  { status, kind, afterSeq, before, limit }: DeliveryQuery,
): DeliveryPosition[] {
  const { eventSeq: beforeSeq, id: beforeId } = before ?? FIRST_POSITION
  return database.all<DeliveryPosition>(
    `SELECT deliveries.id, deliveries.event_seq AS eventSeq
     FROM json_each(:eventSeqs) AS event
     CROSS JOIN json_each(:watchIds) AS watch
     CROSS JOIN deliveries ON deliveries.event_seq = event.value AND deliveries.watch_id = watch.value AND deliveries.test = 0
     WHERE (:status IS NULL OR status = :status) AND (:kind IS NULL OR kind = :kind)
       AND event_seq > :afterSeq AND (event_seq, deliveries.id) < (:beforeSeq, :beforeId)
     ORDER BY event_seq DESC, deliveries.id DESC
     LIMIT +:limit`,
    {
      eventSeqs: JSON.stringify(eventSeqs),
      watchIds: JSON.stringify(watchIds),
      status,
      kind,
      afterSeq,
      beforeSeq,
      beforeId,
      limit,
    },
  )
}

function newestFirst(one: DeliveryPosition, other: DeliveryPosition): number {
  return other.eventSeq - one.eventSeq || (one.id < other.id ? 1 : -1)
}
