import type { Audit, AuditEntry, NewAuditEntry } from '../store.ts'
import { amongRows, BY_BYTES, differing, embedded, FOR_UPDATE_SKIP_LOCKED, plain, text } from './dialect.ts'
import { type QueriesOf, type Query, rows, run, sql, sqlVariant } from './query.ts'

interface AuditRow {
  /** Tells the two tables apart: `a` or `s`, and a number of 15 digits. */
  readonly ref: string
  readonly at: number
  readonly account_id: string | null
  readonly key_id: string | null
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly note: string | null
  readonly old: string | null
  readonly new: string | null
  /** Of a step: a list of fields with their old and new values. */
  readonly changes: string | null
}

const LAST_POSITION = { at: Number.MAX_SAFE_INTEGER, id: '~' }
const FIFTEEN_DIGITS = differing(`printf('%015d', id)`, `lpad(id::text, 15, '0')`)

export const audit = {
  *list({ accountId, incidentId, from: earliest, to: latest }, before, limit) {
    const { at, id } = before ?? LAST_POSITION
    const [from, to] = [earliest ?? Number.MIN_SAFE_INTEGER, latest ?? Number.MAX_SAFE_INTEGER]
    // Each selection is answered from an index.
    const [entries, steps] =
      incidentId !== null
        ? [sql`FALSE`, sql`incident_id = ${incidentId} AND (${text(accountId)} IS NULL OR account_id = ${accountId})`]
        : accountId !== null
          ? [sql`account_id = ${accountId}`, sql`account_id = ${accountId}`]
          : [sql`TRUE`, sql`TRUE`]
    const found = yield* rows<AuditRow>(
      sqlVariant(incidentId !== null ? 'incident' : accountId !== null ? 'account' : 'all')`SELECT * FROM (
            SELECT * FROM (
              SELECT 'a' || ${FIFTEEN_DIGITS} AS ref, at, account_id, key_id, actor, action, subject, note, old, new,
                     NULL AS changes
              FROM audit
              WHERE ${embedded(entries)} AND at <= ${at} AND at >= ${from} AND at < ${to}
                AND (at < ${at} OR ('a' || ${FIFTEEN_DIGITS}) ${BY_BYTES} < ${id})
              ORDER BY at DESC, id DESC
              LIMIT ${plain(limit)}
            ) AS entries
            UNION ALL
            SELECT * FROM (
              SELECT 's' || ${FIFTEEN_DIGITS} AS ref, at, account_id, key_id, actor, 'incident.' || step AS action,
                     incident_id AS subject, note, NULL AS old, NULL AS new, coalesce(changes, '[]') AS changes
              FROM steps
              WHERE ${embedded(steps)} AND at <= ${at} AND at >= ${from} AND at < ${to}
                AND (at < ${at} OR ('s' || ${FIFTEEN_DIGITS}) ${BY_BYTES} < ${id})
              ORDER BY at DESC, id DESC
              LIMIT ${plain(limit)}
            ) AS history
          ) AS both_tables
          ORDER BY at DESC, ref ${BY_BYTES} DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(entryOf)
  },

  *deleteBefore(time, limit) {
    return yield* run(
      sql`DELETE FROM audit WHERE id ${amongRows(
        sql`SELECT id FROM audit WHERE at < ${time} ORDER BY at LIMIT ${plain(limit)} ${FOR_UPDATE_SKIP_LOCKED}`,
      )}`,
    )
  },
} satisfies QueriesOf<Audit>

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.ref,
    at: row.at,
    by: { accountId: row.account_id, keyId: row.key_id, name: row.actor },
    action: row.action,
    subject: row.subject,
    note: row.note,
    before: row.changes === null ? JSON.parse(row.old ?? 'null') : valuesIn(row.changes, 'old'),
    after: row.changes === null ? JSON.parse(row.new ?? 'null') : valuesIn(row.changes, 'new'),
  }
}

function valuesIn(changes: string, side: 'old' | 'new'): Record<string, unknown> | null {
  const list = JSON.parse(changes) as { field: string; old: unknown; new: unknown }[]
  return list.length === 0 ? null : Object.fromEntries(list.map((change) => [change.field, change[side]]))
}

/** Runs within the transaction of the write that it is about. */
export function* storeAuditEntry({ at, by, action, subject, note, before, after }: NewAuditEntry): Query<void> {
  yield* run(
    sql`INSERT INTO audit (at, account_id, key_id, actor, action, subject, note, old, new)
        VALUES (${at}, ${by.accountId}, ${by.keyId}, ${by.name}, ${action}, ${subject}, ${note},
                ${JSON.stringify(before ?? null)}, ${JSON.stringify(after ?? null)})`,
  )
}
