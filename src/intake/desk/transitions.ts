import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { mayTransition, TRANSITIONS, type TransitionName } from '../../domain/lifecycle.ts'
import type { Actor, HistoryEntry } from '../../domain/moderation-record.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import {
  changeIncident,
  checkVersion,
  type Expected,
  type ModeratedIncident,
  type SaveChanges,
} from './moderated-incident.ts'

export interface Decision {
  readonly by: Actor
  readonly note: string | null
  readonly expected: Expected
  readonly now: number
}

/** Confirms, rejects or retracts. Of several simultaneous callers exactly one succeeds. */
export function transitionIncident(
  id: string,
  transition: Exclude<TransitionName, 'merge'>,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(id, store, save, (current) => {
    checkVersion(current, decision.expected)
    return [applyTransition(current, transition, decision)]
  })
}

/** Throws a `Problem` if the incident's status does not allow the transition. */
export function applyTransition(
  { incident, moderation }: ModeratedIncident,
  transition: TransitionName,
  decision: Decision,
): IncidentChange {
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
    version: status === 'confirmed' ? version + 1 : version,
  }
  return {
    incident: next,
    event,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor(transition, next, decision),
  }
}

function checkState({ id, status }: Incident, transition: TransitionName): void {
  if (mayTransition(transition, status)) return
  throw new Problem(
    'not_in_this_state',
    `${id} is ${status}; only a ${TRANSITIONS[transition].from.join(' or ')} incident can be ${PAST_TENSE[transition]}.`,
  )
}

const PAST_TENSE: Record<TransitionName, string> = {
  confirm: 'confirmed',
  reject: 'rejected',
  merge: 'merged',
  retract: 'retracted',
}

export function historyEntryFor(
  step: HistoryEntry['step'],
  { version }: Incident,
  { by, note, now }: Decision,
  fields: readonly string[] = [],
): HistoryEntry {
  return { step, version, at: now, by, note, fields }
}
