import { nextEventTime } from '../../shared/event-time.ts'
import { type EventLogRow, logEventOf } from '../../shared/rows/incident-rows.ts'
import type { EventWrite } from '../../shared/write-plan.ts'
import type { LogEvent, LoggedVersion, LogHead } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function events(database: Database) {
  return {
    after(seq: number, limit: number): LogEvent[] {
      const rows = database.all<EventLogRow>(
        `SELECT events.seq, events.kind, events.at, events.incident_id, events.redacted,
                coalesce(events.document, incidents.document) AS document
         FROM events
         LEFT JOIN incidents ON events.document IS NULL AND incidents.id = events.incident_id
         WHERE events.seq > ?
         ORDER BY events.seq
         LIMIT +?`,
        [seq, limit],
      )
      return rows.map(logEventOf)
    },

    documentBefore(incidentId: string, seq: number): string | null {
      const row = database.get<{ document: string }>(
        `SELECT document FROM events
         WHERE incident_id = +? AND seq < ? AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT 1`,
        [incidentId, seq],
      )
      return row?.document ?? null
    },

    versionsBefore(incidentId: string, seq: number, limit: number): LoggedVersion[] {
      return database.all<{ seq: number; document: string }>(
        `SELECT seq, document FROM events
         WHERE incident_id = +? AND seq < ? AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT +?`,
        [incidentId, seq, limit],
      )
    },

    ofIncident(incidentId: string, limit: number): LogEvent[] {
      const rows = database.all<EventLogRow>(
        `SELECT seq, kind, at, incident_id, redacted, document FROM events
         WHERE incident_id = +? AND document IS NOT NULL
         ORDER BY seq DESC
         LIMIT +?`,
        [incidentId, limit],
      )
      return rows.map(logEventOf)
    },

    head(): LogHead {
      return headOf(database)
    },

    skipAhead(count: number): LogHead {
      return database.transaction(() => {
        database.run('UPDATE log_head SET seq = seq + ?', [count])
        database.run('UPDATE watch_progress SET sequence = sequence + ?', [count])
        return headOf(database)
      })
    },

    lastBeforeGap(seq: number): number | null {
      const row = database.get<{ since: number }>(
        `SELECT (SELECT coalesce(max(seq), 0) FROM events WHERE seq < :seq) AS since
         WHERE :seq > 0 AND :seq < (SELECT seq FROM log_head)
           AND NOT EXISTS (SELECT 1 FROM events WHERE seq IN (:seq, :seq + 1))`,
        { seq },
      )
      return row?.since ?? null
    },
  }
}

export function headOf(database: Database): LogHead {
  const { seq, at } = database.get<LogHead>('SELECT seq, at FROM log_head')!
  return { seq, at }
}

/** Appends within the caller's transaction. */
export function appendEvents(database: Database, appended: readonly EventWrite[], now: number): LogHead {
  const before = headOf(database)
  if (appended.length === 0) return before
  const head = { seq: before.seq + appended.length, at: nextEventTime(before.at, now) }
  let seq = before.seq
  for (const { kind, incidentId, document } of appended) {
    database.run('INSERT INTO events (seq, kind, at, incident_id, document) VALUES (?, ?, ?, ?, ?)', [
      ++seq,
      kind,
      head.at,
      incidentId,
      document,
    ])
  }
  database.run('UPDATE log_head SET seq = ?, at = ?', [head.seq, head.at])
  return head
}
