import type { Incident } from '../../domain/incident.ts'
import type { IncidentRow, Plan } from '../plan.ts'
import { type LogHead, StaleVersion } from '../store.ts'
import type { Database } from './database.ts'
import { advance } from './events.ts'

export function incidents(database: Database) {
  return {
    /** Where the plan's events have moved the log's head. */
    save(plan: Plan): LogHead {
      return database.transaction(() => {
        for (const row of plan.rows) write(database, row)
        return advance(database, plan.events, plan.now)
      })
    },

    find(id: string): Incident | null {
      const row = database.get<{ document: string }>('SELECT document FROM incidents WHERE id = ?', [id])
      return row === undefined ? null : JSON.parse(row.document)
    },
  }
}

function write(database: Database, { id, expected, version, status, publishedAt, document }: IncidentRow): void {
  const written =
    expected === 0
      ? database.run(
          `INSERT INTO incidents (id, version, status, published_at, document) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO NOTHING`,
          [id, version, status, publishedAt, document],
        )
      : database.run(
          `UPDATE incidents SET version = ?, status = ?, published_at = ?, document = ?
           WHERE id = ? AND version = ?`,
          [version, status, publishedAt, document, id, expected],
        )
  if (written === 0) throw new StaleVersion(id)
}
