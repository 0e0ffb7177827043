import { Problem } from '../../../domain/errors.ts'
import type { HistoryStep } from '../../../domain/lifecycle.ts'
import { compareIncidents, evidenceOf, MIN_DUPLICATE_SCORE } from '../../../domain/near-duplicates.ts'
import type { IncidentChange, PairDecision, PairDismissal, Store } from '../../../store/store.ts'
import { type Decision, historyEntryFor } from '../decision.ts'
import {
  changeIncident,
  checkClaim,
  checkDecidable,
  checkVersion,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from '../moderated-incident.ts'
import { Dismissals, holds, pairOf } from './dismissals.ts'

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
    checkOpen(current)
    checkOpen(otherState)
    const [one, another] = [current.incident, otherState.incident].sort(byId)
    const match = compareIncidents(one!, another!)
    if (match === null || match.score < MIN_DUPLICATE_SCORE)
      throw new Problem(
        'not_in_this_state',
        `${id} and ${other.id} are not offered as duplicates: too little speaks for one event.`,
      )
    if (standing !== null && holds(standing, match))
      throw new Problem('not_in_this_state', `${id} and ${other.id} were called different events already.`)
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
    if (standing === null)
      throw new Problem('not_in_this_state', `${id} and ${other.id} were not called different events.`)
    const pair = { ...pairOf(id, other.id), dismissal: null, replaces: standing.dismissedAt }
    return stepsOf('offer_duplicate', current, otherState, decision, pair)
  })
}

async function loadPair(
  current: ModeratedIncident,
  other: OtherOfPair,
  decision: Decision,
  store: Store,
): Promise<{ otherState: ModeratedIncident; standing: PairDismissal | null }> {
  const { id } = current.incident
  if (other.id === id) throw new Problem('not_found', 'An incident is no duplicate of itself.')
  const otherState = await loadIncident(other.id, store)
  checkDecidable(current, decision)
  checkClaim(otherState, decision.by.account_id, decision.now)
  checkVersion(otherState.incident, other.version)
  const standing = new Dismissals(await store.desk.dismissalsOf([id])).find(id, other.id)
  return { otherState, standing }
}

function checkOpen({ incident: { id, status } }: ModeratedIncident): void {
  if (status !== 'reported' && status !== 'confirmed')
    throw new Problem('not_in_this_state', `${id} is ${status}; only reported and confirmed incidents are compared.`)
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
    { ...stepOf(step, current, other.incident.id, decision), pair },
    stepOf(step, other, current.incident.id, decision),
  ]
}

function stepOf(step: HistoryStep, state: ModeratedIncident, other: string, decision: Decision): IncidentChange {
  const { incident, moderation } = state
  const { version, status } = incident
  const historyEntry = historyEntryFor(step, state, state, decision, { other })
  return { incident, event: null, replaces: { version, status }, moderation, historyEntry }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}
