import { type EventLogRow, logEventOf } from '../shared/rows/incident-rows.ts'
import type { EventLog, LoggedVersion } from '../store.ts'
import { bigint, plain } from './dialect.ts'
import { logHead } from './heads.ts'
import { begin, type QueriesOf, rows, run, sql } from './query.ts'

/** A restore's gap in `seq`: more than a store writes between backups, far below 2^53. */
export const RESTORE_GAP = 10_000_000

export const events = {
  *after(seq, limit) {
    const found = yield* rows<EventLogRow>(
      sql`SELECT events.seq, events.kind, events.at, events.incident_id, events.redacted,
                 coalesce(events.document, incidents.document) AS document
          FROM events
          LEFT JOIN incidents ON events.document IS NULL AND incidents.id = events.incident_id
          WHERE events.seq > ${seq}
          ORDER BY events.seq
          LIMIT ${plain(limit)}`,
    )
    return found.map(logEventOf)
  },

  *documentBefore(incidentId, seq) {
    const [row] = yield* rows<{ document: string }>(
      sql`SELECT document FROM events
          WHERE incident_id = ${plain(incidentId)} AND seq < ${seq} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT 1`,
    )
    return row?.document ?? null
  },

  versionsBefore: (incidentId, seq, limit) =>
    rows<LoggedVersion>(
      sql`SELECT seq, document FROM events
          WHERE incident_id = ${plain(incidentId)} AND seq < ${seq} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT ${plain(limit)}`,
    ),

  *ofIncident(incidentId, limit) {
    const found = yield* rows<EventLogRow>(
      sql`SELECT seq, kind, at, incident_id, redacted, document FROM events
          WHERE incident_id = ${plain(incidentId)} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(logEventOf)
  },

  head: () => logHead(),

  *skipAhead(count) {
    yield* begin('long')
    yield* run(sql`UPDATE log_head SET seq = seq + ${count}`)
    yield* run(sql`UPDATE watch_progress SET sequence = sequence + ${count}`)
    return yield* logHead()
  },

  *lastBeforeGap(seq) {
    const [row] = yield* rows<{ since: number }>(
      sql`SELECT (SELECT coalesce(max(seq), 0) FROM events WHERE seq < ${seq}) AS since
          WHERE ${bigint(seq)} > 0 AND ${seq} < (SELECT seq FROM log_head)
            AND NOT EXISTS (SELECT 1 FROM events WHERE seq IN (${seq}, ${bigint(seq)} + 1))`,
    )
    return row?.since ?? null
  },
} satisfies QueriesOf<EventLog>
