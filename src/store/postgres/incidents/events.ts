import { EARLIEST_TIME, MAX_AHEAD_MS } from '../../shared/event-time.ts'
import { type EventLogRow, logEventOf } from '../../shared/rows/incident-rows.ts'
import type { EventWrite } from '../../shared/write-plan.ts'
import type { EventLog, LoggedVersion, LogHead } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { CHANNEL } from '../connection/listen.ts'
import { LONG_LIMITS } from '../connection/session-limits.ts'
import { textArray } from '../connection/text-array.ts'

export function events(connection: PostgresConnection): Omit<EventLog, 'onChange' | 'onAppend' | 'onDue'> {
  return {
    async after(seq, limit) {
      const rows = await connection.query<EventLogRow>(
        `SELECT events.seq, events.kind, events.at, events.incident_id, events.redacted,
                coalesce(events.document, incidents.document) AS document
         FROM events
         LEFT JOIN incidents ON events.document IS NULL AND incidents.id = events.incident_id
         WHERE events.seq > $1
         ORDER BY events.seq
         LIMIT $2`,
        [seq, limit],
      )
      return rows.map(logEventOf)
    },

    async documentBefore(incidentId, seq) {
      const [row] = await connection.query<{ document: string }>(
        `SELECT document FROM events
         WHERE incident_id = $1 AND seq < $2 AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT 1`,
        [incidentId, seq],
      )
      return row?.document ?? null
    },

    versionsBefore(incidentId, seq, limit) {
      return connection.query<LoggedVersion>(
        `SELECT seq, document FROM events
         WHERE incident_id = $1 AND seq < $2 AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT $3`,
        [incidentId, seq, limit],
      )
    },

    async ofIncident(incidentId, limit) {
      const rows = await connection.query<EventLogRow>(
        `SELECT seq, kind, at, incident_id, redacted, document FROM events
         WHERE incident_id = $1 AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT $2`,
        [incidentId, limit],
      )
      return rows.map(logEventOf)
    },

    head: () => headOf(connection.query),

    skipAhead(count) {
      return connection.transaction(async (query) => {
        const [head] = await query<LogHead>('UPDATE log_head SET seq = seq + $1 RETURNING seq, at', [count])
        await query('UPDATE watch_progress SET sequence = sequence + $1', [count])
        return head!
      }, LONG_LIMITS)
    },

    async lastBeforeGap(seq) {
      const [row] = await connection.query<{ since: number }>(
        `SELECT (SELECT coalesce(max(seq), 0) FROM events WHERE seq < $1) AS since
         WHERE $1 > 0 AND $1 < (SELECT seq FROM log_head)
           AND NOT EXISTS (SELECT 1 FROM events WHERE seq IN ($1, $1::bigint + 1))`,
        [seq],
      )
      return row?.since ?? null
    },
  }
}

export async function headOf(query: Query): Promise<LogHead> {
  const [head] = await query<LogHead>('SELECT seq, at FROM log_head')
  return head!
}

/**
 * Appends within the caller's transaction and keeps the head locked until it ends: the next writer
 * gets its numbers once these events are visible. The time is that of `nextEventTime`.
 */
export async function appendEvents(query: Query, appended: readonly EventWrite[], now: number): Promise<LogHead> {
  const [head] = await query<LogHead>(
    `UPDATE log_head
     SET seq = seq + $1,
         at = CASE
           WHEN $1 = 0 THEN at
           WHEN at - $2 > $3 AND $2 >= $4 THEN $2
           ELSE greatest(at, $2)
         END
     RETURNING seq, at`,
    [appended.length, now, MAX_AHEAD_MS, EARLIEST_TIME],
  )
  if (appended.length > 0) {
    await query(
      `WITH appended AS (
         INSERT INTO events (seq, kind, at, incident_id, document)
         SELECT $1::bigint + position, kind, $2::bigint, incident_id, document
         FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY
           AS next (kind, incident_id, document, position)
       )
       SELECT pg_notify($6, 'events')`,
      [
        head!.seq - appended.length,
        head!.at,
        textArray(appended.map((event) => event.kind)),
        textArray(appended.map((event) => event.incidentId)),
        textArray(appended.map((event) => event.document)),
        CHANNEL,
      ],
    )
  }
  return head!
}
