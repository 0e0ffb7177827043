import type { OpenPair, OpenPairs, PairDismissal, PairPosition } from '../../store.ts'

export interface DismissalRow {
  readonly one_id: string
  readonly other_id: string
  readonly one_version: number
  readonly other_version: number
  readonly evidence: number
  readonly dismissed_at: number
}

export interface PairRow {
  readonly incident_id: string
  readonly pair_other_id: string
  readonly import_id: string
  readonly score: number
  readonly proposed_at: number
  readonly is_open: number | boolean
  readonly one_id: string | null
}

/** Greater than every position: ids are lower case, and a score is at most 1. */
export const FIRST_PAIR: PairPosition = { importId: '~', score: 2, incidentId: '~', otherId: '~' }

export function dismissalOf(row: DismissalRow): PairDismissal {
  return {
    oneId: row.one_id,
    otherId: row.other_id,
    oneVersion: row.one_version,
    otherVersion: row.other_version,
    evidence: row.evidence,
    dismissedAt: row.dismissed_at,
  }
}

/** Takes up to `limit` open pairs of the rows of a window. */
export function openPairsOf(rows: readonly (PairRow & DismissalRow)[], limit: number, window: number): OpenPairs {
  const pairs: OpenPair[] = []
  for (const row of rows) {
    if (!row.is_open) continue
    pairs.push(openPairOf(row))
    if (pairs.length === limit) return { pairs, next: positionOf(row) }
  }
  return { pairs, next: rows.length < window ? null : positionOf(rows.at(-1)!) }
}

function openPairOf(row: PairRow & DismissalRow): OpenPair {
  const dismissal = (row as PairRow).one_id === null ? null : dismissalOf(row)
  return { ...positionOf(row), offeredAt: row.proposed_at, dismissal }
}

function positionOf({ import_id, score, incident_id, pair_other_id }: PairRow): PairPosition {
  return { importId: import_id, score, incidentId: incident_id, otherId: pair_other_id }
}
