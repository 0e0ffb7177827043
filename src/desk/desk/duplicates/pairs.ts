import { compareIncidents, type Match, MIN_DUPLICATE_SCORE } from '../../../domain/near-duplicates.ts'
import type {
  DismissalPosition,
  IncidentRecord,
  OpenPair,
  PairDismissal,
  PairPosition,
  Store,
} from '../../../store/store.ts'
import { holds } from './dismissals.ts'

/** Two incidents that may be one event, as they are now. */
export interface ComparedPair {
  readonly record: IncidentRecord
  readonly other: IncidentRecord
  readonly match: Match
  /** Null for a pair that no import has found. */
  readonly offer: Pick<OpenPair, 'importId' | 'offeredAt'> | null
  /** Null for a pair that is open. */
  readonly dismissal: PairDismissal | null
}

interface PairPage<Position> {
  readonly pairs: readonly ComparedPair[]
  readonly next: Position | null
}

/** The most pairs that one request looks at: after a long day most of them are decided. */
const WINDOW = 2_000

/** Reads the pairs that wait for a decision; a page may be short although more follow. */
export async function readOpenPairs(
  after: PairPosition | null,
  limit: number,
  store: Store,
): Promise<PairPage<PairPosition>> {
  const { pairs: found, next } = await store.desk.openPairs(after, limit + 1, WINDOW)
  const page = found.slice(0, limit)
  const records = await recordsOf(
    page.flatMap(({ incidentId, otherId }) => [incidentId, otherId]),
    store,
  )
  const pairs = page.flatMap((pair) => {
    const compared = compare(records.get(pair.incidentId), records.get(pair.otherId))
    // Corrected since, they may no longer be alike.
    if (compared === null || compared.match.score < MIN_DUPLICATE_SCORE) return []
    if (pair.dismissal !== null && holds(pair.dismissal, compared.match)) return []
    return [{ ...compared, offer: pair, dismissal: null }]
  })
  return { pairs, next: found.length > limit ? page.at(-1)! : next }
}

/** Reads the pairs that were called different events, and still are, newest first. */
export async function readDismissedPairs(
  after: DismissalPosition | null,
  limit: number,
  store: Store,
): Promise<PairPage<DismissalPosition>> {
  const found = await store.desk.dismissals(after, limit + 1)
  const page = found.slice(0, limit)
  const records = await recordsOf(
    page.flatMap(({ oneId, otherId }) => [oneId, otherId]),
    store,
  )
  const pairs = page.flatMap((dismissal) => {
    const compared = compare(records.get(dismissal.oneId), records.get(dismissal.otherId))
    if (compared === null || !holds(dismissal, compared.match)) return []
    return [{ ...compared, offer: null, dismissal }]
  })
  return { pairs, next: found.length > limit ? page.at(-1)! : null }
}

async function recordsOf(ids: readonly string[], store: Store): Promise<Map<string, IncidentRecord>> {
  const records = await store.incidents.findRecords([...new Set(ids)])
  return new Map(records.map((record) => [record.incident.id, record]))
}

/** Null if one of them is gone, or they are too far apart to be compared. */
function compare(record: IncidentRecord | undefined, other: IncidentRecord | undefined) {
  if (record === undefined || other === undefined || !isOpen(record) || !isOpen(other)) return null
  const match = compareIncidents(record.incident, other.incident)
  return match && { record, other, match }
}

function isOpen({ incident: { status } }: IncidentRecord): boolean {
  return status === 'reported' || status === 'confirmed'
}
