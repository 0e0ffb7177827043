import { type AuditRow, auditEntryOf, auditValues, LAST_POSITION } from '../../shared/rows/audit-rows.ts'
import type { AuditEntry, AuditPosition, AuditQuery, NewAuditEntry } from '../../store.ts'
import type { Database } from '../connection/database.ts'

/** Runs within the transaction of the write that it is about. */
export function storeAuditEntry(database: Database, entry: NewAuditEntry): void {
  database.run(
    `INSERT INTO audit (at, account_id, key_id, actor, action, subject, note, old, new)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    auditValues(entry),
  )
}

export function audit(database: Database) {
  return {
    list({ accountId, incidentId, from, to }: AuditQuery, before: AuditPosition | null, limit: number): AuditEntry[] {
      const { at, id } = before ?? LAST_POSITION
      const window = { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER }
      const values = { ...window, at, id, limit }
      const rows =
        incidentId !== null
          ? database.all<AuditRow>(listOf('FALSE', INCIDENT), { ...values, accountId, incidentId })
          : accountId !== null
            ? database.all<AuditRow>(listOf(ACCOUNT, ACCOUNT), { ...values, accountId })
            : database.all<AuditRow>(listOf('TRUE', 'TRUE'), values)
      return rows.map(auditEntryOf)
    },
  }
}

/** Each is answered from an index. */
const ACCOUNT = 'account_id = :accountId'
const INCIDENT = 'incident_id = :incidentId AND (:accountId IS NULL OR account_id = :accountId)'

function listOf(entries: string, steps: string): string {
  return `
    SELECT * FROM (
      SELECT 'a' || printf('%015d', id) AS ref, at, account_id, key_id, actor, action, subject, note, old, new,
             NULL AS changes
      FROM audit
      WHERE ${entries} AND at <= :at AND at >= :from AND at < :to AND (at < :at OR 'a' || printf('%015d', id) < :id)
      ORDER BY at DESC, id DESC
      LIMIT +:limit
    )
    UNION ALL
    SELECT * FROM (
      SELECT 's' || printf('%015d', id) AS ref, at, account_id, key_id, actor, 'incident.' || step AS action,
             incident_id AS subject, note, NULL AS old, NULL AS new, coalesce(changes, '[]') AS changes
      FROM steps
      WHERE ${steps} AND at <= :at AND at >= :from AND at < :to AND (at < :at OR 's' || printf('%015d', id) < :id)
      ORDER BY at DESC, id DESC
      LIMIT +:limit
    )
    ORDER BY at DESC, ref DESC
    LIMIT +:limit`
}
