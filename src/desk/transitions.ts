import { type Decided, mayTransition, TRANSITIONS } from '../../domain/lifecycle.ts'
import { timeText } from '../../lib/time.ts'
import { type Decision, historyEntryFor, changeIncident, checkDecidable, type ModeratedIncident, type SaveChanges } from './decision.ts'
import { type Decided, mayTransition, TRANSITIONS } from '../domain/desk/lifecycle.ts'
import { Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import { timeText } from '../lib/time/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'

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
  checkDecidable(current, decision)
  checkState(incident, transition)
  const { version, status } = incident
  const { to, event } = TRANSITIONS[transition]
  const time = timeText(decision.now)
  // A report keeps its version; a published incident gets a new one, so that clients see it.
  const next: Incident = {
    ...incident,
    ...(transition === 'confirm' ? { confirmed_at: time, published_at: time } : {}),
    updated_at: time,
    status: to,
    version: status === 'confirmed' || status === 'retracted' ? version + 1 : version,
  }
  return {
    incident: next,
    event,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor(transition, current, { incident: next, moderation }, decision),
    ...(transition === 'restore' ? { revivesDeliveries: true } : {}),
  }
}

function checkState({ id, status }: Incident, transition: Decided): void {
  if (mayTransition(transition, status)) return
  throw new Problem(
    'not_in_this_state',
    `${id} is ${status}; only a ${TRANSITIONS[transition].from.join(' or ')} incident can be ${PAST_TENSE[transition]}.`,
  )
}

const PAST_TENSE: Record<Decided, string> = {
  confirm: 'confirmed',
  reject: 'rejected',
  retract: 'retracted',
  reopen: 'reopened',
  restore: 'restored',
}
