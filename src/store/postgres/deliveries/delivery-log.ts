import {
  type Deliveries,
  type DeliveryPosition,
  type DeliveryQuery,
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
import type { PostgresConnection, Query } from '../connection.ts'

/** Methods that read what was sent. */
export function deliveryLog(connection: PostgresConnection): Pick<Deliveries, 'list' | 'find'> {
  return {
    list(accountId, question) {
      return connection.withConnection(async (query) => {
        const watchIds = await ownWatches(query, accountId, question.watchIds)
        const positions = await positionsOf(query, watchIds, question)
        const rows = await query<LoggedRow>(
          `SELECT deliveries.*,
                  CASE WHEN deliveries.test THEN deliveries.test_incident_id ELSE events.incident_id END AS incident_id,
                  last.at AS last_at, last.duration AS last_duration, last.outcome AS last_outcome,
                  last.status_code AS last_status_code
           FROM deliveries
           LEFT JOIN events ON events.seq = deliveries.event_seq
           LEFT JOIN attempts AS last ON last.delivery_id = deliveries.id AND last.number = deliveries.attempts
           WHERE deliveries.id = ANY ($1)
           ORDER BY deliveries.event_seq DESC, deliveries.id DESC`,
          [positions.map(({ id }) => id)],
        )
        return rows.map(loggedOf)
      })
    },

    find(accountId, id) {
      return connection.withConnection(async (query) => {
        const [row] = await query<DeliveryRow & { incident_id: string | null }>(
          `SELECT deliveries.*,
                  CASE WHEN deliveries.test THEN deliveries.test_incident_id ELSE events.incident_id END AS incident_id
           FROM deliveries
           JOIN watches ON watches.id = deliveries.watch_id
           LEFT JOIN events ON events.seq = deliveries.event_seq
           WHERE deliveries.id = $1 AND watches.account_id = $2`,
          [id, accountId],
        )
        if (row === undefined) return null
        const attempts = await query<AttemptRow>(
          'SELECT * FROM attempts WHERE delivery_id = $1 ORDER BY number DESC LIMIT $2',
          [id, MAX_LISTED_ATTEMPTS],
        )
        return {
          delivery: deliveryOf(row),
          incidentId: row.incident_id,
          attempts: attempts.reverse().map(attemptOf),
        }
      })
    },
  }
}

async function ownWatches(query: Query, accountId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>('SELECT id FROM watches WHERE id = ANY ($2) AND account_id = $1', [
    accountId,
    ids,
  ])
  return rows.map(({ id }) => id)
}

function positionsOf(query: Query, watchIds: readonly string[], question: DeliveryQuery): Promise<DeliveryPosition[]> {
  const { status, kind, eventSeqs, afterSeq, tests, before, limit } = question
  const { eventSeq, id } = before ?? FIRST_POSITION
  if (eventSeqs !== null) {
    // Looks each pair up: an incident has few events, but an event may have a million deliveries.
    return query<DeliveryPosition>(
      `SELECT found.id, found.event_seq AS "eventSeq"
       FROM unnest($2::bigint[]) AS event (seq)
       CROSS JOIN unnest($1::text[]) AS watch (id)
       CROSS JOIN LATERAL (
         SELECT * FROM deliveries WHERE event_seq = event.seq AND watch_id = watch.id COLLATE "C" AND NOT test
         OFFSET 0
       ) AS found
       WHERE ($3::text IS NULL OR found.status = $3) AND ($4::text IS NULL OR found.kind = $4)
         AND found.event_seq > $5 AND (found.event_seq, found.id) < ($6, $7)
       ORDER BY found.event_seq DESC, found.id DESC
       LIMIT $8`,
      [watchIds, eventSeqs, status, kind, afterSeq, eventSeq, id, limit],
    )
  }
  const values = [watchIds, status, kind, afterSeq, eventSeq, id, limit, tests.from, tests.to]
  // Each watch and status is an ordered part of an index: at most `limit` rows of each are read.
  if (kind === null || kind === 'incident.created')
    return query<DeliveryPosition>(
      `SELECT newest.id, newest.event_seq AS "eventSeq"
       FROM unnest($1::text[]) AS watch (id)
       CROSS JOIN unnest(ARRAY['pending', 'delivered', 'failed', 'cancelled']) AS walk (status)
       CROSS JOIN LATERAL (
         SELECT id, event_seq FROM deliveries
         WHERE watch_id = watch.id COLLATE "C" AND status = walk.status COLLATE "C" AND ($3::text IS NULL OR kind = $3)
           AND event_seq >= $4 AND (event_seq, id) < ($5, $6)
           AND CASE WHEN test THEN created_at >= $8 AND created_at < $9 ELSE event_seq > $4 END
         ORDER BY event_seq DESC, id DESC
         LIMIT $7
       ) AS newest
       WHERE ($2::text IS NULL OR walk.status = $2)
       ORDER BY newest.event_seq DESC, newest.id DESC
       LIMIT $7`,
      values,
    )
  return query<DeliveryPosition>(
    `SELECT newest.id, newest.event_seq AS "eventSeq"
     FROM unnest($1::text[]) AS watch (id)
     CROSS JOIN unnest(ARRAY['pending', 'delivered', 'failed', 'cancelled']) AS walk (status)
     CROSS JOIN LATERAL (
       SELECT id, event_seq FROM deliveries
       WHERE watch_id = watch.id COLLATE "C" AND status = walk.status COLLATE "C"
         AND kind = $3 AND kind <> 'incident.created'
         AND event_seq >= $4 AND (event_seq, id) < ($5, $6)
         AND CASE WHEN test THEN created_at >= $8 AND created_at < $9 ELSE event_seq > $4 END
       ORDER BY event_seq DESC, id DESC
       LIMIT $7
     ) AS newest
     WHERE ($2::text IS NULL OR walk.status = $2)
     ORDER BY newest.event_seq DESC, newest.id DESC
     LIMIT $7`,
    values,
  )
}
