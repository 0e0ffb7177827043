import type { CopiedRow, CopiedTable } from '../../copy/tables/table.ts'
import type { Database } from '../connection/database.ts'

/** A first attempt that succeeds is kept in the row of its delivery (migration 0005). */
export const ALL_ATTEMPTS = `(
  SELECT delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq FROM attempts
  UNION ALL
  SELECT id, 1, first_at, first_duration, 'delivered', first_status_code, first_answer, NULL, first_content_seq
  FROM deliveries WHERE first_at IS NOT NULL
)`

/** Puts a first success where `recordAttempts` puts it. Returns false for every other attempt. */
export function writeFirstSuccess(database: Database, table: CopiedTable, row: CopiedRow): boolean {
  const named = Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index]!]))
  if (named.number !== 1 || named.outcome !== 'delivered' || named.error !== null) return false
  const { at, duration, status_code, answer, content_seq, delivery_id } = named as Record<
    string,
    string | number | null
  >
  const changed = database.run(
    `UPDATE deliveries
     SET first_at = ?, first_duration = ?, first_status_code = ?, first_answer = ?, first_content_seq = ?
     WHERE id = ?`,
    [at!, duration!, status_code!, answer!, content_seq!, delivery_id!],
  )
  // An attempt whose delivery is gone stays where it was.
  return changed === 1
}
