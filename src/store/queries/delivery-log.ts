import { DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { type Deliveries, type DeliveryPosition, type DeliveryQuery, MAX_LISTED_ATTEMPTS } from '../store.ts'
import { type AttemptRow, attemptOf, type DeliveryRow, deliveryOf, type LoggedRow, loggedOf } from './delivery-rows.ts'
import { among, BY_BYTES, differing, embedded, plain, shared, text, unindexed } from './dialect.ts'
import { dialect, type Form, Fragment, first, type QueriesOf, type Query, rows, sql, sqlVariant } from './query.ts'

const INCIDENT_ID = shared(
  'CASE WHEN deliveries.test THEN deliveries.test_incident_id ELSE events.incident_id END AS incident_id',
)
/** SQLite has a success at the first attempt in the delivery's row. */
const LAST_ATTEMPT = differing(
  `coalesce(last.at, deliveries.first_at) AS last_at, coalesce(last.duration, deliveries.first_duration) AS last_duration,
   coalesce(last.outcome, 'delivered') AS last_outcome,
   CASE WHEN last.at IS NULL THEN deliveries.first_status_code ELSE last.status_code END AS last_status_code`,
  `last.at AS last_at, last.duration AS last_duration, last.outcome AS last_outcome,
   last.status_code AS last_status_code`,
)

/** Methods that read what was sent. */
export const deliveryLog = {
  *list(accountId, query) {
    const own = yield* rows<{ id: string }>(
      sql`SELECT id FROM watches WHERE id ${among(query.watchIds)} AND ${ACCOUNT_ID} = ${accountId}`,
    )
    const positions = yield* positionsOf(
      own.map(({ id }) => id),
      query,
    )
    const found = yield* rows<LoggedRow>(
      sql`SELECT deliveries.*, ${INCIDENT_ID}, ${LAST_ATTEMPT}
          FROM deliveries
          LEFT JOIN events ON events.seq = deliveries.event_seq
          LEFT JOIN attempts AS last ON last.delivery_id = deliveries.id AND last.number = deliveries.attempts
          WHERE deliveries.id ${among(positions.map(({ id }) => id))}
          ORDER BY deliveries.event_seq DESC, deliveries.id DESC`,
    )
    return found.map(loggedOf)
  },

  *find(accountId, id) {
    const row = yield* first<DeliveryRow & { incident_id: string | null }>(
      sql`SELECT deliveries.*, ${INCIDENT_ID}
          FROM deliveries
          JOIN watches ON watches.id = deliveries.watch_id
          LEFT JOIN events ON events.seq = deliveries.event_seq
          WHERE deliveries.id = ${id} AND watches.account_id = ${accountId}`,
    )
    if (row === undefined) return null
    const attempts = yield* rows<AttemptRow>(
      (yield* dialect()) === 'sqlite'
        ? sql`SELECT 1 AS number, first_at AS at, first_duration AS duration, 'delivered' AS outcome,
                     first_status_code AS status_code, first_answer AS answer, NULL AS error,
                     first_content_seq AS content_seq
              FROM deliveries WHERE id = ${id} AND first_at IS NOT NULL
              UNION ALL
              SELECT number, at, duration, outcome, status_code, answer, error, content_seq
              FROM attempts WHERE delivery_id = ${id}
              ORDER BY number DESC
              LIMIT ${plain(MAX_LISTED_ATTEMPTS)}`
        : sql`SELECT * FROM attempts WHERE delivery_id = ${id} ORDER BY number DESC LIMIT ${MAX_LISTED_ATTEMPTS}`,
    )
    return { delivery: deliveryOf(row), incidentId: row.incident_id, attempts: attempts.reverse().map(attemptOf) }
  },
} satisfies Pick<QueriesOf<Deliveries>, 'list' | 'find'>

const ACCOUNT_ID = unindexed('account_id')

/** Before every delivery. */
const FIRST_POSITION: DeliveryPosition = { eventSeq: Number.MAX_SAFE_INTEGER, id: '' }

function* positionsOf(watchIds: readonly string[], query: DeliveryQuery): Query<readonly DeliveryPosition[]> {
  if (query.eventSeqs !== null) return yield* positionsOfEvents(watchIds, query.eventSeqs, query)
  return yield* (yield* dialect()) === 'sqlite' ? newestOnSqlite(watchIds, query) : newestOnPostgres(watchIds, query)
}

const DELIVERIES_OF_PAIRS: Form = {
  sqlite: `json_each(?) AS event CROSS JOIN json_each(?) AS watch
    CROSS JOIN deliveries ON deliveries.event_seq = event.value AND deliveries.watch_id = watch.value AND deliveries.test = 0`,
  postgres: `unnest(?::bigint[]) AS event (seq) CROSS JOIN unnest(?::text[]) AS watch (id)
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE event_seq = event.seq AND watch_id = watch.id COLLATE "C" AND NOT test OFFSET 0
    ) AS deliveries`,
}
/** Looks each pair up: an incident has few events, but an event may have a million deliveries. */
export function deliveriesOf(eventSeqs: readonly number[], watchIds: readonly string[]): Fragment {
  return new Fragment(DELIVERIES_OF_PAIRS, undefined, [eventSeqs, watchIds])
}

function positionsOfEvents(
  watchIds: readonly string[],
  eventSeqs: readonly number[],
  { status, kind, afterSeq, before, limit }: DeliveryQuery,
): Query<DeliveryPosition[]> {
  const { eventSeq, id } = before ?? FIRST_POSITION
  return rows(
    sql`SELECT deliveries.id, deliveries.event_seq AS "eventSeq" FROM ${deliveriesOf(eventSeqs, watchIds)}
        WHERE (${text(status)} IS NULL OR deliveries.status = ${status})
          AND (${text(kind)} IS NULL OR deliveries.kind = ${kind})
          AND deliveries.event_seq > ${afterSeq} AND (deliveries.event_seq, deliveries.id) < (${eventSeq}, ${id})
        ORDER BY deliveries.event_seq DESC, deliveries.id DESC
        LIMIT ${plain(limit)}`,
  )
}

/** Each watch and status is an ordered part of an index: at most `limit` rows of each are read. */
function newestOnPostgres(
  watchIds: readonly string[],
  { status, kind, afterSeq, tests, before, limit }: DeliveryQuery,
): Query<DeliveryPosition[]> {
  const { eventSeq, id } = before ?? FIRST_POSITION
  const ofKind = isRare(kind)
    ? sql`kind = ${kind} AND kind <> 'incident.created'`
    : sql`(${text(kind)} IS NULL OR kind = ${kind})`
  return rows(
    sqlVariant(isRare(kind) ? 'rare' : 'any')`SELECT newest.id, newest.event_seq AS "eventSeq"
        FROM unnest(${watchIds}::text[]) AS watch (id)
        CROSS JOIN unnest(ARRAY['pending', 'delivered', 'failed', 'cancelled']) AS walk (status)
        CROSS JOIN LATERAL (
          SELECT id, event_seq FROM deliveries
          WHERE watch_id = watch.id ${BY_BYTES} AND status = walk.status ${BY_BYTES} AND ${embedded(ofKind)}
            AND event_seq >= ${afterSeq} AND (event_seq, id) < (${eventSeq}, ${id})
            AND CASE WHEN test THEN created_at >= ${tests.from} AND created_at < ${tests.to}
                ELSE event_seq > ${afterSeq} END
          ORDER BY event_seq DESC, id DESC
          LIMIT ${limit}
        ) AS newest
        WHERE (${text(status)} IS NULL OR walk.status = ${status})
        ORDER BY newest.event_seq DESC, newest.id DESC
        LIMIT ${limit}`,
  )
}

/** Corrections and retractions are rare: they have an index of their own. */
function isRare(kind: DeliveryQuery['kind']): boolean {
  return kind !== null && kind !== 'incident.created'
}

/**
 * Reads watch by watch, because SQLite has no LATERAL. Leased deliveries are in no index by watch
 * (decision 5); they are few, and none is a test.
 */
function* newestOnSqlite(
  watchIds: readonly string[],
  { status, kind, afterSeq, tests, before, limit }: DeliveryQuery,
): Query<readonly DeliveryPosition[]> {
  const { eventSeq, id } = before ?? FIRST_POSITION
  const leased = yield* rows<DeliveryPosition>(
    sql`SELECT id, event_seq AS "eventSeq" FROM deliveries INDEXED BY deliveries_leased
        WHERE lease_owner IS NOT NULL AND watch_id ${among(watchIds)}
          AND (${status} IS NULL OR ${status} = 'pending') AND (${kind} IS NULL OR kind = ${kind})
          AND event_seq > ${afterSeq} AND (event_seq, id) < (${eventSeq}, ${id})`,
  )
  let found = leased.toSorted(newestFirst).slice(0, limit)
  for (const watchId of watchIds) {
    // A full page needs nothing of the other watches that is older than its last entry. A test has
    // the number of the event before it.
    const floor = found.length < limit ? afterSeq : Math.max(afterSeq, found.at(-1)!.eventSeq)
    const values = [watchId, status, kind, floor, eventSeq, id, tests.from, tests.to, afterSeq, limit]
    const newest = yield* rows<DeliveryPosition>(
      isRare(kind)
        ? sql`${new Fragment(NEWEST_RARE, undefined, values)}`
        : sql`${new Fragment(NEWEST, undefined, values)}`,
    )
    if (newest.length > 0) found = [...found, ...newest].toSorted(newestFirst).slice(0, limit)
  }
  return found
}

const NEWEST = newestOfEachStatus('deliveries_watch', '(?3 IS NULL OR kind = ?3)')
const NEWEST_RARE = newestOfEachStatus('deliveries_kind', "kind = ?3 AND kind <> 'incident.created'")

/** Follows an index from the newest event on, up to the limit of each status. */
function newestOfEachStatus(index: string, ofKind: string): Form {
  const parts = DELIVERY_STATUSES.map(
    (status) => `SELECT * FROM (SELECT id, event_seq AS eventSeq FROM deliveries INDEXED BY ${index}
      WHERE watch_id = ?1 AND status = '${status}' AND lease_owner IS NULL AND ${ofKind}
        AND event_seq >= ?4 AND (event_seq, id) < (?5, ?6) AND (?2 IS NULL OR ?2 = '${status}')
        AND CASE WHEN test THEN created_at >= ?7 AND created_at < ?8 ELSE event_seq > ?9 END
      ORDER BY event_seq DESC, id DESC LIMIT +?10)`,
  )
  return { sqlite: parts.join(' UNION ALL '), postgres: '' }
}

function newestFirst(one: DeliveryPosition, other: DeliveryPosition): number {
  return other.eventSeq - one.eventSeq || (one.id < other.id ? 1 : -1)
}
