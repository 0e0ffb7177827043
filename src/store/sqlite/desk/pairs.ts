import { type DismissalRow, dismissalOf, FIRST_PAIR, openPairsOf, type PairRow } from '../../shared/rows/pair-rows.ts'
import type { DecidedPair } from '../../shared/write-plan.ts'
import {
  type DismissalPosition,
  type OpenPairs,
  type PairDismissal,
  type PairPosition,
  StaleVersion,
} from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function pairs(database: Database) {
  return {
    openPairs(after: PairPosition | null, limit: number, window: number): OpenPairs {
      const { importId, score, incidentId, otherId } = after ?? FIRST_PAIR
      const rows = database.all<PairRow & DismissalRow>(
        `SELECT pairs.incident_id, pairs.other_id AS pair_other_id, pairs.import_id, pairs.score, pairs.proposed_at,
                dismissed.one_id, dismissed.other_id, dismissed.one_version, dismissed.other_version,
                dismissed.evidence, dismissed.dismissed_at,
                one.status IN ('reported', 'confirmed') AND other.status IN ('reported', 'confirmed')
                  AND (dismissed.one_id IS NULL OR dismissed.one_version <> one.version
                       OR dismissed.other_version <> other.version) AS is_open
         FROM duplicate_pairs AS pairs
         LEFT JOIN incidents AS one ON one.id = min(pairs.incident_id, pairs.other_id)
         LEFT JOIN incidents AS other ON other.id = max(pairs.incident_id, pairs.other_id)
         LEFT JOIN dismissed_pairs AS dismissed ON dismissed.one_id = one.id AND dismissed.other_id = other.id
         WHERE (pairs.import_id, pairs.score, pairs.incident_id, pairs.other_id) < (?, ?, ?, ?)
         ORDER BY pairs.import_id DESC, pairs.score DESC, pairs.incident_id DESC, pairs.other_id DESC
         LIMIT +?`,
        [importId, score, incidentId, otherId, window],
      )
      return openPairsOf(rows, limit, window)
    },

    dismissals(after: DismissalPosition | null, limit: number): PairDismissal[] {
      const { dismissedAt, oneId, otherId } = after ?? { dismissedAt: Number.MAX_SAFE_INTEGER, oneId: '', otherId: '' }
      return database
        .all<DismissalRow>(
          `SELECT * FROM dismissed_pairs WHERE (dismissed_at, one_id, other_id) < (?, ?, ?)
           ORDER BY dismissed_at DESC, one_id DESC, other_id DESC LIMIT +?`,
          [dismissedAt, oneId, otherId, limit],
        )
        .map(dismissalOf)
    },

    dismissalsOf(ids: readonly string[]): PairDismissal[] {
      return database
        .all<DismissalRow>(
          `SELECT * FROM dismissed_pairs WHERE one_id IN (SELECT value FROM json_each(:ids))
           UNION
           SELECT * FROM dismissed_pairs WHERE other_id IN (SELECT value FROM json_each(:ids))`,
          { ids: JSON.stringify(ids) },
        )
        .map(dismissalOf)
    },
  }
}

/** Runs within the caller's transaction. */
export function decidePairs(database: Database, decided: readonly DecidedPair[], now: number): void {
  for (const { oneId, otherId, dismissal, replaces, incidentId } of decided) {
    const removed =
      replaces === null ||
      database.run('DELETE FROM dismissed_pairs WHERE one_id = ? AND other_id = ? AND dismissed_at = ?', [
        oneId,
        otherId,
        replaces,
      ]) > 0
    const added =
      dismissal === null ||
      database.run('INSERT INTO dismissed_pairs VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING', [
        oneId,
        otherId,
        dismissal.oneVersion,
        dismissal.otherVersion,
        dismissal.evidence,
        now,
      ]) > 0
    if (!removed || !added) throw new StaleVersion(incidentId)
  }
}
