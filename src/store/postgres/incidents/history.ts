import type { HistoryEntry } from '../../../domain/lifecycle.ts'
import { type HistoryRow, historyEntryOf, historyEntryValues } from '../../shared/rows/incident-rows.ts'
import type { HistoryWrite } from '../../shared/write-plan.ts'
import type { Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'

export async function historyOf(query: Query, id: string): Promise<HistoryEntry[]> {
  const rows = await query<HistoryRow>(
    `SELECT step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other
     FROM steps WHERE incident_id = $1 ORDER BY id`,
    [id],
  )
  return rows.map(historyEntryOf)
}

/** Inserts all at once, in order: an import has a thousand. */
export async function addHistoryEntries(query: Query, entries: readonly HistoryWrite[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ entry }) => historyEntryValues(entry))
  const texts = (index: number) => textArray(rows.map((values) => values[index] as string | null))
  await query(
    `INSERT INTO steps (incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other)
     SELECT incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
                 $9::text[], $10::text[], $11::text[], $12::text[]) WITH ORDINALITY
       AS next (incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other, place)
     ORDER BY place`,
    [
      textArray(entries.map(({ incidentId }) => incidentId)),
      texts(0),
      rows.map((values) => values[1]),
      rows.map((values) => values[2]),
      ...[3, 4, 5, 6, 7, 8, 9, 10].map(texts),
    ],
  )
}
