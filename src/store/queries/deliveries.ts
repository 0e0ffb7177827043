import { storableExcerpt } from '../../domain/delivery.ts'
import { schemaStateOf } from '../migrations.ts'
import type {
  Deliveries,
  FanOut,
  FanOutPosition,
  Listening,
  ListeningHeads,
  OwnerHeartbeat,
  Owners,
  QueueDepth,
} from '../store.ts'
import { deliveriesOf, deliveryLog } from './delivery-log.ts'
import { type DeliveryRow, deliveryOf } from './delivery-rows.ts'
import {
  among,
  amongRows,
  BY_BYTES,
  differing,
  eachRow,
  FOR_UPDATE,
  FOR_UPDATE_SKIP_LOCKED,
  GREATEST,
  indexedBy,
  isFalse,
  isTrue,
  NO_TEST,
  plain,
} from './dialect.ts'
import { noteDue } from './heads.ts'
import { PARKED_DUE_AT } from './lease.ts'
import { begin, dialect, first, only, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { sameRecipient } from './same-recipient.ts'

/** Lets SQLite use the queue's index, which starts with that column. */
export const OF_ANY_URGENCY = differing('AND critical IN (0, 1)', '')
const CRITICAL = isTrue('critical')
const NOT_CRITICAL = isFalse('critical')
const MAYBE_ATTEMPTED = isTrue('deliveries.maybe_attempted')
const BY_DUE_TIME = indexedBy('deliveries_due')
const POSTPONED = eachRow('next', { id: 'text', due_at: 'bigint', owner: 'text' })

export const deliveries = {
  ...sameRecipient,
  ...deliveryLog,

  *findNotifiedWatches(eventSeqs, watchIds) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT DISTINCT deliveries.watch_id AS id FROM ${deliveriesOf(eventSeqs, watchIds)}
          WHERE deliveries.attempts > 0 OR ${MAYBE_ATTEMPTED} OR deliveries.status = 'pending'`,
    )
    return found.map(({ id }) => id)
  },

  *postpone(owner, postponed) {
    const attempted = postponed.flatMap(({ deliveryId, maybeAttempted }) => (maybeAttempted ? [deliveryId] : []))
    if (attempted.length > 0)
      yield* run(
        sql`UPDATE deliveries SET maybe_attempted = true
            WHERE id ${amongRows(
              sql`SELECT id FROM deliveries WHERE id ${among(attempted)} AND lease_owner = ${owner}
                  ORDER BY id ${FOR_UPDATE}`,
            )}`,
      )
    if ((yield* dialect()) === 'sqlite') {
      yield* run(
        sql`UPDATE deliveries SET lease_owner = NULL, due_at = ${POSTPONED.due_at}, postponed = 1
            ${POSTPONED.from(postponed.map(({ deliveryId, dueAt }) => [deliveryId, dueAt, owner]))}
            WHERE id = ${POSTPONED.id} AND lease_owner = ${POSTPONED.owner}`,
      )
      return
    }
    const ids = postponed.map(({ deliveryId }) => deliveryId)
    // The same order as in `recordAttempts`, to prevent deadlocks.
    yield* run(
      sql`WITH held AS MATERIALIZED (
            SELECT id FROM deliveries WHERE id = ANY (${ids}) AND lease_owner = ${owner} ORDER BY id FOR UPDATE
          )
          UPDATE deliveries SET lease_owner = NULL, due_at = next.due_at, postponed = true
          FROM held
          JOIN unnest(${ids}::text[], ${postponed.map(({ dueAt }) => dueAt)}::bigint[]) AS next (id, due_at)
            ON next.id = held.id
          WHERE deliveries.id = held.id`,
    )
  },

  *makeDueNow(watchId, now, limit) {
    yield* begin('sqlite')
    const due = yield* run(
      sql`UPDATE deliveries SET due_at = ${now}
          WHERE id ${amongRows(
            sql`SELECT id FROM deliveries
                WHERE watch_id = ${plain(watchId)} AND status = 'pending' AND lease_owner IS NULL AND due_at > ${now}
                  AND severity IS NULL AND (tries = 0 OR postponed) AND due_at < ${PARKED_DUE_AT}
                ORDER BY event_seq
                LIMIT ${plain(limit)}
                ${FOR_UPDATE_SKIP_LOCKED}`,
          )}`,
    )
    if (due > 0) yield* noteDue()
    return due
  },

  *addTest({ id, watchId, eventSeq, kind, incidentId, attempt }, now) {
    yield* begin()
    const status = attempt.outcome === 'delivered' ? 'delivered' : 'failed'
    const inserted = yield* run(
      sql`INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, test, status,
                                  attempts, tries, created_at, finished_at, test_incident_id)
          SELECT ${id}, watches.id, ${eventSeq}, 0, ${kind}, watches.name, watches.host, false, true, ${status},
                 1, 1, ${attempt.at}, ${now}, ${incidentId}
          FROM watches WHERE watches.id = ${watchId}`,
    )
    // The watch has been removed.
    if (inserted === 0) return
    yield* run(
      sql`INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq)
          VALUES (${id}, 1, ${attempt.at}, ${attempt.duration}, ${attempt.outcome}, ${attempt.statusCode},
                  ${storableExcerpt(attempt.answer)}, ${storableExcerpt(attempt.error)}, ${attempt.contentSeq})`,
    )
    yield* markResent([id])
    yield* noteDue()
  },

  *redeliver(accountId, id, now) {
    yield* begin()
    const [row] = yield* resend(accountId, [id], now)
    return row === undefined ? null : deliveryOf(row)
  },

  *redeliverMany(accountId, ids, now) {
    yield* begin()
    // A fixed order prevents deadlocks with other calls, and with recording attempts.
    yield* onPostgres(sql`SELECT FROM deliveries WHERE id ${among(ids)} ORDER BY id FOR UPDATE`)
    return (yield* resend(accountId, ids, now)).length
  },

  *makeDue(accountId, watchId, afterSeq, dueAfter, now, limit) {
    yield* begin()
    const found = yield* rows<{ id: string; event_seq: number; due_at: number }>(
      sql`SELECT id, event_seq, due_at FROM deliveries
          WHERE watch_id = ${watchId} AND status = 'pending' AND lease_owner IS NULL AND event_seq > ${afterSeq}
            AND EXISTS (SELECT 1 FROM watches WHERE id = ${watchId} AND account_id = ${accountId})
          ORDER BY event_seq
          LIMIT ${plain(limit)}
          ${FOR_UPDATE}`,
    )
    const ids = found.filter((row) => row.due_at > dueAfter).map((row) => row.id)
    if (ids.length > 0) {
      yield* run(sql`UPDATE deliveries SET due_at = ${now} WHERE id ${among(ids)}`)
      yield* noteDue()
    }
    return { due: ids.length, lastSeq: found.length < limit ? null : found.at(-1)!.event_seq }
  },

  *countPending(accountId, watchId, since) {
    const row = yield* first<{ count: number }>(
      (yield* dialect()) === 'sqlite'
        ? // Leased deliveries are in no index by watch.
          sql`SELECT (SELECT count(*) FROM deliveries
                      WHERE watch_id = watches.id AND status = 'pending' AND lease_owner IS NULL
                        AND created_at >= ${since})
                   + (SELECT count(*) FROM deliveries INDEXED BY deliveries_leased
                      WHERE watch_id = watches.id AND lease_owner IS NOT NULL AND created_at >= ${since}) AS count
              FROM watches WHERE id = ${watchId} AND account_id = ${accountId}`
        : sql`SELECT count(*) AS count FROM deliveries
              WHERE watch_id = ${watchId} AND status = 'pending' AND created_at >= ${since}
                AND EXISTS (SELECT 1 FROM watches WHERE id = ${watchId} AND account_id = ${accountId})`,
    )
    return row?.count ?? 0
  },

  *recover(accountId, watchId, since, now, limit) {
    yield* begin()
    const recovered = yield* rows<{ id: string; event_seq: number }>(
      sql`UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = ${now}
          WHERE id ${amongRows(
            sql`SELECT id FROM deliveries
                WHERE watch_id = ${watchId} AND status = 'failed' AND lease_owner IS NULL AND created_at >= ${since}
                  AND ${NO_TEST} AND EXISTS (SELECT 1 FROM watches WHERE id = ${watchId} AND account_id = ${accountId})
                ORDER BY event_seq DESC
                LIMIT ${plain(limit)}
                ${FOR_UPDATE}`,
          )}
          RETURNING id, event_seq`,
    )
    yield* noteResent(recovered)
    return recovered.length
  },

  *reschedule(by, now, leasedUntil) {
    yield* begin('sqlite')
    yield* run(
      sql`UPDATE deliveries SET due_at = ${leasedUntil}
          WHERE id ${amongRows(
            sql`SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at > ${leasedUntil}
                ORDER BY id ${FOR_UPDATE}`,
          )}`,
    )
    // Digests go by the time at which a delivery was made.
    yield* run(
      sql`UPDATE deliveries SET created_at = ${now}
          WHERE id ${amongRows(
            sql`SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND created_at > ${now}
                ORDER BY id ${FOR_UPDATE}`,
          )}`,
    )
    if ((yield* dialect()) === 'postgres') return yield* rescheduleInBatches(by, now)
    yield* run(
      sql`UPDATE deliveries SET due_at = max(${now}, due_at - ${by}), created_at = min(created_at, ${now})
          WHERE status = 'pending' AND lease_owner IS NULL ${OF_ANY_URGENCY}
            AND due_at > ${now} AND due_at < ${PARKED_DUE_AT}`,
    )
    yield* noteDue()
  },

  queueDepth: (max) =>
    only<QueueDepth>(
      sql`SELECT (SELECT count(*) FROM (
                    SELECT 1 FROM deliveries ${BY_DUE_TIME}
                    WHERE status = 'pending' AND lease_owner IS NULL ${OF_ANY_URGENCY} AND due_at < ${PARKED_DUE_AT}
                    LIMIT ${plain(max)}) AS counted) AS waiting,
                 (SELECT count(*) FROM (
                    SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT ${plain(max)}) AS counted) AS leased,
                 (SELECT min(due_at) FROM (
                    SELECT min(due_at) AS due_at FROM deliveries
                    WHERE status = 'pending' AND lease_owner IS NULL AND ${CRITICAL} AND due_at < ${PARKED_DUE_AT}
                    UNION ALL
                    SELECT min(due_at) FROM deliveries
                    WHERE status = 'pending' AND lease_owner IS NULL AND ${NOT_CRITICAL} AND due_at < ${PARKED_DUE_AT}
                  ) AS earliest) AS "oldestDueAt"`,
    ),

  *recentLatencies(since, limit) {
    const found = yield* rows<{ latency: number }>(
      sql`SELECT ${GREATEST}(0, finished_at - at) AS latency
          FROM (
            SELECT event_seq, finished_at, status, attempts, test FROM deliveries
            WHERE finished_at IS NOT NULL AND finished_at >= ${since}
            ORDER BY finished_at DESC
            LIMIT ${plain(limit)}
          ) AS recent
          JOIN events ON seq = event_seq
          WHERE at >= ${since} AND status = 'delivered' AND attempts = 1 AND ${NO_TEST}`,
    )
    return found.map(({ latency }) => latency)
  },

  /** First deliveries of removed watches, then old ones. */
  *deleteExpired(before, limit) {
    yield* begin()
    return yield* (yield* dialect()) === 'sqlite' ? deleteOnSqlite(before, limit) : deleteOnPostgres(before, limit)
  },
} satisfies Omit<QueriesOf<Deliveries>, 'lease' | 'leaseOfWatch' | 'recordAttempts' | 'add'>

/** Within the caller's transaction. */
function* resend(accountId: string, ids: readonly string[], now: number): Query<DeliveryRow[]> {
  const resent = yield* rows<DeliveryRow>(
    sql`UPDATE deliveries
        SET status = 'pending', tries = 0, finished_at = NULL,
            due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > ${now} THEN due_at ELSE ${now} END,
            lease_owner = CASE WHEN due_at > ${now} THEN lease_owner END,
            maybe_attempted = (maybe_attempted OR (lease_owner IS NOT NULL AND due_at <= ${now}))
        WHERE id ${among(ids)} AND ${NO_TEST}
          AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = ${accountId})
        RETURNING *`,
  )
  yield* noteResent(resent)
  return resent
}

function* noteResent(resent: readonly { id: string; event_seq: number }[]): Query<void> {
  if (resent.length === 0) return
  yield* markResent(resent.toSorted((one, other) => one.event_seq - other.event_seq).map(({ id }) => id))
  yield* noteDue()
}

const RESENT = eachRow('given', { id: 'text', resent: 'bigint' })

/**
 * Numbers deliveries in the order given, within the caller's transaction: the row stays locked
 * until it ends, so that numbers are visible in order.
 */
export function* markResent(ids: readonly string[]): Query<void> {
  const head = yield* only<{ resent: number }>(
    sql`UPDATE watch_head SET resent = resent + ${ids.length} RETURNING resent`,
  )
  const before = head.resent - ids.length
  yield* run(
    sql`UPDATE deliveries SET resent = ${RESENT.resent} ${RESENT.from(ids.map((id, index) => [id, before + index + 1]))}
        WHERE deliveries.id = ${RESENT.id} ${BY_BYTES}`,
  )
}

/** Small batches keep statements short and hold few locks at a time. */
const BATCH_ROWS = 1_000

interface QueuePosition {
  readonly due_at: number
  readonly watch_id: string
  readonly id: string
}

/** Moves batch by batch along the queue: moved deliveries lie behind and are not read again. */
function* rescheduleInBatches(by: number, now: number): Query<void> {
  for (const critical of [true, false]) {
    let last: QueuePosition | undefined = { due_at: now, watch_id: '', id: '' }
    while (last !== undefined)
      [last] = yield* rows<QueuePosition>(
        sql`WITH batch AS MATERIALIZED (
              SELECT due_at, watch_id, id FROM deliveries
              WHERE status = 'pending' AND lease_owner IS NULL AND critical = ${critical}
                AND (due_at, watch_id, id) > (${last.due_at}, ${last.watch_id}, ${last.id})
                AND due_at < ${PARKED_DUE_AT}
              ORDER BY due_at, watch_id, id
              LIMIT ${BATCH_ROWS}
              FOR UPDATE SKIP LOCKED
            ), moved AS (
              UPDATE deliveries SET due_at = greatest(${now}, batch.due_at - ${by}),
                     created_at = least(created_at, ${now})
              FROM batch WHERE deliveries.id = batch.id
            )
            SELECT due_at, watch_id, id FROM batch
            ORDER BY due_at DESC, watch_id DESC, id DESC
            LIMIT 1`,
      )
  }
  yield* noteDue()
}

function* deleteOnSqlite(before: number, limit: number): Query<number> {
  const orphans = yield* run(
    sql`DELETE FROM deliveries WHERE id IN (
          SELECT deliveries.id FROM removed_watches CROSS JOIN deliveries ON deliveries.watch_id = removed_watches.id
          WHERE removed_watches.emptied = 0 AND deliveries.lease_owner IS NULL
          UNION ALL
          SELECT deliveries.id FROM deliveries CROSS JOIN removed_watches ON removed_watches.id = deliveries.watch_id
          WHERE removed_watches.emptied = 0 AND deliveries.lease_owner IS NOT NULL
          LIMIT ${plain(limit)})`,
  )
  if (orphans === limit) return orphans
  yield* run(sql`UPDATE removed_watches SET emptied = 1 WHERE emptied = 0`)
  const old = yield* run(
    sql`DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE finished_at < ${before} ORDER BY finished_at LIMIT ${plain(limit - orphans)})`,
  )
  return orphans + old
}

/** Attempts have no foreign key: their table is cheaper to write without. */
function* deleteOnPostgres(before: number, limit: number): Query<number> {
  const orphans = yield* rows<{ id: string }>(
    sql`DELETE FROM deliveries WHERE id ${amongRows(
      sql`SELECT deliveries.id FROM removed_watches JOIN deliveries ON deliveries.watch_id = removed_watches.id
          WHERE NOT removed_watches.emptied
          LIMIT ${limit}
          FOR UPDATE OF deliveries SKIP LOCKED`,
    )}
        RETURNING id`,
  )
  // Checks each watch, because another node may have locked some of its deliveries.
  yield* run(
    sql`UPDATE removed_watches SET emptied = true
        WHERE NOT emptied AND NOT EXISTS (SELECT 1 FROM deliveries WHERE watch_id = removed_watches.id)`,
  )
  const old = yield* rows<{ id: string }>(
    sql`DELETE FROM deliveries WHERE id ${amongRows(
      sql`SELECT id FROM deliveries WHERE finished_at < ${before}
          ORDER BY finished_at LIMIT ${limit - orphans.length} FOR UPDATE SKIP LOCKED`,
    )}
        RETURNING id`,
  )
  const ids = [...orphans, ...old].map(({ id }) => id)
  yield* run(sql`DELETE FROM attempts WHERE delivery_id ${among(ids)}`)
  return ids.length
}

/** Read with the heartbeats: it costs no message to the server. */
type RecordedVersions = Parameters<typeof schemaStateOf>[0]

export const owners = {
  *recordHeartbeat(owner) {
    yield* run(
      sql`INSERT INTO owners (owner, beats) VALUES (${owner}, 1)
          ON CONFLICT (owner) DO UPDATE SET beats = owners.beats + 1`,
    )
    const heartbeats = yield* rows<OwnerHeartbeat & RecordedVersions>(
      sql`SELECT owner, beats, (SELECT max(version) FROM schema_version) AS needs,
                 (SELECT max(version) FROM later_versions) AS later
          FROM owners ORDER BY owner ${BY_BYTES}`,
    )
    return {
      heartbeats: heartbeats.map(({ owner, beats }) => ({ owner, beats })),
      schema: schemaStateOf(heartbeats[0]!),
    }
  },

  *releaseLeases({ owner, beats }, now, maybeAttempted) {
    yield* begin()
    if ((yield* run(sql`DELETE FROM owners WHERE owner = ${owner} AND beats = ${beats}`)) === 0) return false
    yield* run(sql`UPDATE fan_out SET owner = NULL WHERE owner = ${owner}`)
    yield* run(sql`UPDATE source_poller SET owner = NULL WHERE owner = ${owner}`)
    // The same order as in `recordAttempts`, to prevent deadlocks.
    const freed = yield* run(
      sql`UPDATE deliveries
          SET lease_owner = NULL, due_at = ${now}, maybe_attempted = (maybe_attempted OR ${maybeAttempted})
          WHERE id ${amongRows(sql`SELECT id FROM deliveries WHERE lease_owner = ${owner} ORDER BY id ${FOR_UPDATE}`)}`,
    )
    if (freed > 0) yield* noteDue()
    return true
  },
} satisfies QueriesOf<Owners>

export const fanOut = {
  *lease(owner, now, until) {
    const position = yield* first<FanOutPosition>(
      sql`UPDATE fan_out SET owner = ${owner}, lease_until = ${until}
          WHERE owner IS NULL OR owner = ${owner} OR lease_until <= ${now}
          RETURNING seq, after_watch_id AS "afterWatchId"`,
    )
    return position ?? null
  },

  *release(owner) {
    yield* run(sql`UPDATE fan_out SET owner = NULL WHERE owner = ${owner}`)
  },

  *purgedSeq() {
    const { purged } = yield* only<{ purged: number | null }>(sql`SELECT purged_seq AS purged FROM fan_out`)
    return purged
  },

  *recordPurged(owner, seq) {
    yield* run(sql`UPDATE fan_out SET purged_seq = ${seq} WHERE owner = ${owner}`)
  },
} satisfies Omit<QueriesOf<FanOut>, 'write'>

const BY_RESENT = indexedBy('deliveries_resent')

export const listening = {
  heads: () =>
    only<ListeningHeads>(
      sql`SELECT (SELECT seq FROM log_head) AS logged, (SELECT seq FROM fan_out) AS written,
                 (SELECT resent FROM watch_head) AS resent`,
    ),

  *resentAfter(accountId, watchId, resent, limit) {
    const found = yield* rows<DeliveryRow & { resent: number }>(
      sql`SELECT * FROM deliveries ${BY_RESENT}
          WHERE watch_id = ${watchId} AND resent > ${resent}
            AND EXISTS (SELECT 1 FROM watches WHERE id = ${watchId} AND account_id = ${accountId})
          ORDER BY resent
          LIMIT ${plain(limit)}`,
    )
    return found.map((row) => ({ resent: row.resent, delivery: deliveryOf(row) }))
  },
} satisfies QueriesOf<Listening>
