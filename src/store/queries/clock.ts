import {
  type ClockReadings,
  GROWING_TABLES,
  type GrowingTable,
  MIN_CORRECTED_MS,
  type TableSizes,
} from '../interface/maintenance.ts'
import { OF_ANY_URGENCY } from './deliveries.ts'
import { amongRows, differing, FOR_UPDATE, FOR_UPDATE_SKIP_LOCKED, GREATEST, isFalse, LEAST } from './dialect.ts'
import { PARKED_DUE_AT } from './lease.ts'
import { begin, dialect, first, only, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'

const SINGLE = differing('1', 'true')
const UNSETTLED = isFalse('settled')

export const clock = {
  *read() {
    const row = yield* first<{ seenAt: number; agedAt: number }>(
      sql`SELECT seen_at AS "seenAt", aged_at AS "agedAt" FROM clock_readings`,
    )
    return row ?? null
  },

  *record(now, agedAt, setBackBy) {
    yield* begin()
    yield* run(
      sql`INSERT INTO clock_readings (single, seen_at, aged_at) VALUES (${SINGLE}, ${now}, ${agedAt ?? now})
          ON CONFLICT (single) DO NOTHING`,
    )
    const before = yield* first<{ seenAt: number; agedAt: number }>(
      sql`SELECT seen_at AS "seenAt", aged_at AS "agedAt" FROM clock_readings ${FOR_UPDATE}`,
    )
    const since = before!.seenAt - now
    // Otherwise another process has seen it first, and corrected the times.
    const by = since > MIN_CORRECTED_MS ? Math.max(since, setBackBy) : 0
    if (by > 0) yield* correctTimes(now, by)
    else yield* endImpossibleWaits(now)
    const aged = Math.min(now, Math.max(before!.agedAt, agedAt ?? 0))
    const seenAt = by > 0 ? now : Math.max(before!.seenAt, now)
    yield* run(sql`UPDATE clock_readings SET seen_at = ${seenAt}, aged_at = ${aged}`)
    return { agedAt: aged, setBackBy: by }
  },
} satisfies QueriesOf<ClockReadings>

/** Longer than a feed or a message ever waits: two days, with digests, quiet hours and retries. */
const LONGEST_WAIT_MS = 3 * 86_400_000

/** Planned by a clock whose visit ahead was too short to be noticed. */
function* endImpossibleWaits(now: number): Query<void> {
  const latest = now + LONGEST_WAIT_MS
  yield* run(sql`UPDATE sources SET due_at = ${now} WHERE due_at > ${latest}`)
  yield* run(
    sql`UPDATE deliveries SET due_at = ${now}, created_at = ${LEAST}(created_at, ${now})
        WHERE id ${amongRows(
          sql`SELECT id FROM deliveries
              WHERE status = 'pending' AND lease_owner IS NULL ${OF_ANY_URGENCY}
                AND due_at > ${latest} AND due_at < ${PARKED_DUE_AT}
              ORDER BY id LIMIT 1000 ${FOR_UPDATE_SKIP_LOCKED}`,
        )}`,
  )
}

/**
 * Times that lie ahead of a clock that was set back: what was to wait until then waits for as long
 * as it was meant to, and what happened then has happened by now. Due times of deliveries are
 * corrected by `reschedule`. The log, the history of the desk and what incidents say stay as they
 * were.
 */
function* correctTimes(now: number, by: number): Query<void> {
  // Waiting.
  yield* run(
    sql`UPDATE sources SET due_at = ${GREATEST}(${now}, due_at - ${by}), created_at = ${LEAST}(created_at, ${now})
        WHERE due_at > ${now}`,
  )
  yield* run(
    sql`UPDATE source_poller SET lease_until = ${GREATEST}(${now}, lease_until - ${by}) WHERE lease_until > ${now}`,
  )
  yield* run(sql`UPDATE fan_out SET lease_until = ${GREATEST}(${now}, lease_until - ${by}) WHERE lease_until > ${now}`)
  yield* run(
    sql`UPDATE desk_entries SET claimed_until = ${GREATEST}(${now}, claimed_until - ${by})
        WHERE claimed_until > ${now}`,
  )
  yield* run(sql`UPDATE watch_progress SET resumed_at = ${now} WHERE resumed_at > ${now}`)
  yield* run(sql`UPDATE alert_requests SET asked_at = ${now} WHERE asked_at > ${now}`)
  yield* run(sql`UPDATE redactions SET at = ${now} WHERE at > ${now} AND ${UNSETTLED}`)
  // Valid until a time.
  yield* run(
    sql`UPDATE sessions SET
          expires_at = CASE WHEN created_at > ${now} THEN expires_at - ${by} ELSE expires_at END,
          created_at = ${LEAST}(created_at, ${now}), seen_at = ${LEAST}(seen_at, ${now}),
          ended_at = CASE WHEN ended_at > ${now} THEN ${now} ELSE ended_at END
        WHERE created_at > ${now} OR seen_at > ${now} OR ended_at > ${now}`,
  )
  yield* run(
    sql`UPDATE sign_in_links SET expires_at = expires_at - ${by}, created_at = ${now} WHERE created_at > ${now}`,
  )
  yield* run(sql`UPDATE signups SET expires_at = expires_at - ${by}, created_at = ${now} WHERE created_at > ${now}`)
  yield* run(sql`UPDATE challenges SET expires_at = ${GREATEST}(${now}, expires_at - ${by}) WHERE expires_at > ${now}`)
  yield* run(sql`UPDATE alerts SET created_at = ${now} WHERE created_at > ${now}`)
  // Kept for some time after it.
  yield* run(
    sql`UPDATE keys SET created_at = ${LEAST}(created_at, ${now}),
          revoked_at = CASE WHEN revoked_at > ${now} THEN ${now} ELSE revoked_at END
        WHERE created_at > ${now} OR revoked_at > ${now}`,
  )
  yield* run(sql`UPDATE idempotency SET claimed_at = ${now} WHERE claimed_at > ${now}`)
  yield* run(sql`UPDATE tips SET received_at = ${now} WHERE received_at > ${now}`)
  yield* run(sql`UPDATE tip_submissions SET at = ${now} WHERE at > ${now}`)
  yield* run(sql`UPDATE source_items SET last_seen_at = ${now} WHERE last_seen_at > ${now}`)
  yield* run(sql`UPDATE deliveries SET finished_at = ${now} WHERE finished_at > ${now}`)
  yield* run(sql`UPDATE watches SET updated_at = ${now} WHERE updated_at > ${now}`)
  yield* run(sql`UPDATE watch_progress SET seen_at = ${now} WHERE seen_at > ${now}`)
  // Counts of days and hours that have not come yet.
  yield* run(sql`DELETE FROM mails WHERE day > ${new Date(now).toISOString().slice(0, 13)}`)
  yield* onPostgres(sql`DELETE FROM budgets WHERE ends_at > ${now + by}`)
  // Shown as the last of its kind.
  yield* run(sql`UPDATE usage SET last_at = ${now} WHERE last_at > ${now}`)
  yield* run(sql`UPDATE passkeys SET last_used_at = ${now} WHERE last_used_at > ${now}`)
  yield* run(sql`UPDATE last_backup SET taken_at = ${now} WHERE taken_at > ${now}`)
}

export const tables = {
  *rows() {
    if ((yield* dialect()) === 'sqlite')
      return yield* only<Record<GrowingTable, number>>(
        sql`SELECT (SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM events) AS events,
                   (SELECT coalesce(sum(entries), 0) FROM desk_counts) AS desk_entries,
                   (SELECT coalesce(max(id) - min(id) + 1, 0) FROM steps) AS steps,
                   (SELECT coalesce(max(id) - min(id) + 1, 0) FROM audit) AS audit,
                   (SELECT count(*) FROM (SELECT 1 FROM usage LIMIT 100000)) AS usage,
                   (SELECT count(*) FROM (SELECT 1 FROM import_changes LIMIT 100000)) AS import_changes,
                   (SELECT count(*) FROM (SELECT 1 FROM deliveries LIMIT 100000)) AS deliveries`,
      )
    const found = yield* rows<{ name: GrowingTable; rows: number }>(
      sql`SELECT relname AS name, greatest(0, reltuples)::float8 AS rows FROM pg_class
          WHERE oid = ANY (SELECT to_regclass(name) FROM unnest(${GROWING_TABLES}::text[]) AS name)`,
    )
    return Object.fromEntries(found.map((each) => [each.name, each.rows])) as Record<GrowingTable, number>
  },
} satisfies QueriesOf<TableSizes>
