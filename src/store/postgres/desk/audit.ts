import { type AuditRow, auditEntryOf, auditValues, LAST_POSITION } from '../../shared/rows/audit-rows.ts'
import type { Audit, NewAuditEntry } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

/** Runs within the transaction of the write that it is about. */
export async function storeAuditEntry(query: Query, entry: NewAuditEntry): Promise<void> {
  await query(
    `INSERT INTO audit (at, account_id, key_id, actor, action, subject, note, old, new)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    auditValues(entry),
  )
}

export function audit(connection: PostgresConnection): Audit {
  return {
    async list({ accountId, incidentId, from, to }, before, limit) {
      const { at, id } = before ?? LAST_POSITION
      const values = [at, id, from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER, limit]
      const rows =
        incidentId !== null
          ? await connection.query<AuditRow>(listOf('FALSE', INCIDENT), [...values, accountId, incidentId])
          : accountId !== null
            ? await connection.query<AuditRow>(listOf(ACCOUNT, ACCOUNT), [...values, accountId])
            : await connection.query<AuditRow>(listOf('TRUE', 'TRUE'), values)
      return rows.map(auditEntryOf)
    },
  }
}

/** Each is answered from an index. */
const ACCOUNT = 'account_id = $6'
const INCIDENT = 'incident_id = $7 AND ($6::text IS NULL OR account_id = $6)'

function listOf(entries: string, steps: string): string {
  return `
    SELECT * FROM (
      (SELECT 'a' || lpad(id::text, 15, '0') AS ref, at, account_id, key_id, actor, action, subject, note, old, new,
              NULL AS changes
       FROM audit
       WHERE ${entries} AND at <= $1 AND at >= $3 AND at < $4
         AND (at < $1 OR ('a' || lpad(id::text, 15, '0')) COLLATE "C" < $2)
       ORDER BY at DESC, id DESC
       LIMIT $5)
      UNION ALL
      (SELECT 's' || lpad(id::text, 15, '0') AS ref, at, account_id, key_id, actor, 'incident.' || step AS action,
              incident_id AS subject, note, NULL AS old, NULL AS new, coalesce(changes, '[]') AS changes
       FROM steps
       WHERE ${steps} AND at <= $1 AND at >= $3 AND at < $4
         AND (at < $1 OR ('s' || lpad(id::text, 15, '0')) COLLATE "C" < $2)
       ORDER BY at DESC, id DESC
       LIMIT $5)
    ) AS both_tables
    ORDER BY at DESC, ref COLLATE "C" DESC
    LIMIT $5`
}
