import { Problem } from '../domain/errors.ts'
import { type Decided, mayTransition, TRANSITIONS } from '../domain/lifecycle.ts'
import { timeText } from '../lib/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  changeIncident,
  checkDecidable,
  type Decision,
  decidedChange,
  type ModeratedIncident,
  type SaveChanges,
} from './decision.ts'

const PAST_TENSE: Record<Decided, string> = {
  confirm: 'confirmed',
  reject: 'rejected',
  retract: 'retracted',
  reopen: 'reopened',
  restore: 'restored',
}

/**
 * Confirms, rejects, retracts, reopens or restores. Of several simultaneous callers one succeeds.
 */
export function transitionIncident(
  id: string,
  transition: Decided,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(id, store, save, (current) => [applyTransition(current, transition, decision)])
}

/** Throws a `Problem` if the incident's status does not allow the transition. */
export function applyTransition(current: ModeratedIncident, transition: Decided, decision: Decision): IncidentChange {
  const { incident, moderation } = current
  const { id, version, status } = incident
  const { from, to, event } = TRANSITIONS[transition]
  checkDecidable(current, decision)
  if (!mayTransition(transition, status))
    throw new Problem(
      'not_in_this_state',
      `${id} is ${status}; only a ${from.join(' or ')} incident can be ${PAST_TENSE[transition]}.`,
    )
  const time = timeText(decision.now)
  // A report keeps its version; a published incident gets a new one, so that clients see it.
  const next = {
    ...incident,
    ...(transition === 'confirm' ? { confirmed_at: time, published_at: time } : {}),
    updated_at: time,
    status: to,
    version: status === 'confirmed' || status === 'retracted' ? version + 1 : version,
  }
  return {
    ...decidedChange(transition, current, { incident: next, moderation }, decision, { event }),
    ...(transition === 'restore' ? { revivesDeliveries: true } : {}),
  }
}
