import { Problem } from '../domain/errors.ts'
import type { HistoryStep } from '../domain/lifecycle.ts'
import { compareIncidents, evidenceOf, type Match, MIN_DUPLICATE_SCORE } from '../domain/near-duplicates.ts'
import type {
  DismissalPosition,
  IncidentChange,
  IncidentRecord,
  OpenPair,
  PairDecision,
  PairDismissal,
  PairPosition,
  Store,
} from '../store/store.ts'
import {
  changeIncident,
  checkClaim,
  checkDecidable,
  checkVersion,
  type Decision,
  decidedChange,
  isOpen,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from './decision.ts'
import { Dismissals, holds, pairOf } from './duplicate-candidates.ts'

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
  const compare = await pairComparer(
    page.map(({ incidentId, otherId }) => [incidentId, otherId]),
    store,
  )
  const pairs = page.flatMap((pair) => {
    const compared = compare(pair.incidentId, pair.otherId)
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
  const compare = await pairComparer(
    page.map(({ oneId, otherId }) => [oneId, otherId]),
    store,
  )
  const pairs = page.flatMap((dismissal) => {
    const compared = compare(dismissal.oneId, dismissal.otherId)
    if (compared === null || !holds(dismissal, compared.match)) return []
    return [{ ...compared, offer: null, dismissal }]
  })
  return { pairs, next: found.length > limit ? page.at(-1)! : null }
}

/** Its result is null if one of the two is gone, or they are too far apart to be compared. */
async function pairComparer(pairs: readonly (readonly [string, string])[], store: Store) {
  const found = await store.incidents.findRecords([...new Set(pairs.flat())])
  const records = new Map(found.map((record) => [record.incident.id, record]))
  return (id: string, otherId: string) => {
    const [record, other] = [records.get(id), records.get(otherId)]
    if (record === undefined || other === undefined || !isOpen(record.incident) || !isOpen(other.incident)) return null
    const match = compareIncidents(record.incident, other.incident)
    return match && { record, other, match }
  }
}

export interface OtherOfPair {
  readonly id: string
  /** The version that the editor has read; null accepts any. */
  readonly version: number | null
}

/**
 * Keeps that two incidents are not one event: they are not offered again unless more speaks for it.
 */
export function dismissDuplicate(
  id: string,
  other: OtherOfPair,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(id, store, save, async (current) => {
    const { otherState, standing } = await loadPair(current, other, decision, store)
    for (const { incident } of [current, otherState])
      if (!isOpen(incident))
        throw refusal(`${incident.id} is ${incident.status}; only reported and confirmed incidents are compared.`)
    const [one, another] = [current.incident, otherState.incident].sort((one, other) => (one.id < other.id ? -1 : 1))
    const match = compareIncidents(one!, another!)
    if (match === null || match.score < MIN_DUPLICATE_SCORE)
      throw refusal(`${id} and ${other.id} are not offered as duplicates: too little speaks for one event.`)
    if (standing !== null && holds(standing, match))
      throw refusal(`${id} and ${other.id} were called different events already.`)
    return stepsOf('dismiss_duplicate', current, otherState, decision, {
      ...pairOf(id, other.id),
      dismissal: { oneVersion: one!.version, otherVersion: another!.version, evidence: evidenceOf(match) },
      replaces: standing?.dismissedAt ?? null,
    })
  })
}

/** Takes a dismissal back. */
export function offerDuplicate(
  id: string,
  other: OtherOfPair,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(id, store, save, async (current) => {
    const { otherState, standing } = await loadPair(current, other, decision, store)
    if (standing === null) throw refusal(`${id} and ${other.id} were not called different events.`)
    const pair = { ...pairOf(id, other.id), dismissal: null, replaces: standing.dismissedAt }
    return stepsOf('offer_duplicate', current, otherState, decision, pair)
  })
}

async function loadPair(current: ModeratedIncident, other: OtherOfPair, decision: Decision, store: Store) {
  const { id } = current.incident
  if (other.id === id) throw new Problem('not_found', 'An incident is no duplicate of itself.')
  const otherState = await loadIncident(other.id, store)
  checkDecidable(current, decision)
  checkClaim(otherState, decision.by.account_id, decision.now)
  checkVersion(otherState.incident, other.version)
  const standing = new Dismissals(await store.desk.dismissalsOf([id])).find(id, other.id)
  return { otherState, standing }
}

function refusal(detail: string): Problem {
  return new Problem('not_in_this_state', detail)
}

/** Both histories name the other; neither incident changes. */
function stepsOf(
  step: HistoryStep,
  current: ModeratedIncident,
  other: ModeratedIncident,
  decision: Decision,
  pair: PairDecision,
): IncidentChange[] {
  return [
    { ...decidedChange(step, current, current, decision, { other: other.incident.id }), pair },
    decidedChange(step, other, other, decision, { other: current.incident.id }),
  ]
}
