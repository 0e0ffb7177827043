import { type DismissalRow, dismissalOf, FIRST_PAIR, openPairsOf, type PairRow } from '../../shared/rows/pair-rows.ts'
import type { DecidedPair } from '../../shared/write-plan.ts'
import { type DuplicatePairs, StaleVersion } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'

export function pairs(connection: PostgresConnection): DuplicatePairs {
  return {
    async openPairs(after, limit, window) {
      const { importId, score, incidentId, otherId } = after ?? FIRST_PAIR
      const rows = await connection.query<PairRow & DismissalRow>(
        `SELECT pairs.incident_id, pairs.other_id AS pair_other_id, pairs.import_id, pairs.score, pairs.proposed_at,
                dismissed.one_id, dismissed.other_id, dismissed.one_version, dismissed.other_version,
                dismissed.evidence, dismissed.dismissed_at,
                one.status IN ('reported', 'confirmed') AND other.status IN ('reported', 'confirmed')
                  AND (dismissed.one_id IS NULL OR dismissed.one_version <> one.version
                       OR dismissed.other_version <> other.version) AS is_open
         FROM (SELECT * FROM duplicate_pairs
               WHERE (import_id, score, incident_id, other_id) < ($1::text, $2::float8, $3::text, $4::text)
               ORDER BY import_id DESC, score DESC, incident_id DESC, other_id DESC
               LIMIT $5) AS pairs
         LEFT JOIN incidents AS one ON one.id = least(pairs.incident_id, pairs.other_id)
         LEFT JOIN incidents AS other ON other.id = greatest(pairs.incident_id, pairs.other_id)
         LEFT JOIN dismissed_pairs AS dismissed ON dismissed.one_id = one.id AND dismissed.other_id = other.id
         ORDER BY pairs.import_id DESC, pairs.score DESC, pairs.incident_id DESC, pairs.other_id DESC`,
        [importId, score, incidentId, otherId, window],
      )
      return openPairsOf(rows, limit, window)
    },

    async dismissals(after, limit) {
      const { dismissedAt, oneId, otherId } = after ?? { dismissedAt: Number.MAX_SAFE_INTEGER, oneId: '', otherId: '' }
      const rows = await connection.query<DismissalRow>(
        `SELECT * FROM dismissed_pairs WHERE (dismissed_at, one_id, other_id) < ($1::bigint, $2::text, $3::text)
         ORDER BY dismissed_at DESC, one_id DESC, other_id DESC LIMIT $4`,
        [dismissedAt, oneId, otherId, limit],
      )
      return rows.map(dismissalOf)
    },

    async dismissalsOf(ids) {
      const rows = await connection.query<DismissalRow>(
        `SELECT * FROM dismissed_pairs WHERE one_id = ANY ($1::text[])
         UNION
         SELECT * FROM dismissed_pairs WHERE other_id = ANY ($1::text[])`,
        [textArray(ids)],
      )
      return rows.map(dismissalOf)
    },
  }
}

/** Runs within the caller's transaction. */
export async function decidePairs(query: Query, decided: readonly DecidedPair[], now: number): Promise<void> {
  for (const { oneId, otherId, dismissal, replaces, incidentId } of decided) {
    if (replaces !== null) {
      const removed = await query(
        'DELETE FROM dismissed_pairs WHERE one_id = $1 AND other_id = $2 AND dismissed_at = $3 RETURNING one_id',
        [oneId, otherId, replaces],
      )
      if (removed.length === 0) throw new StaleVersion(incidentId)
    }
    if (dismissal === null) continue
    const added = await query(
      'INSERT INTO dismissed_pairs VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING one_id',
      [oneId, otherId, dismissal.oneVersion, dismissal.otherVersion, dismissal.evidence, now],
    )
    if (added.length === 0) throw new StaleVersion(incidentId)
  }
}
