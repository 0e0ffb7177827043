import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { mayTransition, TRANSITIONS, type TransitionName } from '../../domain/lifecycle.ts'
import type { Actor, HistoryEntry } from '../../domain/moderation-record.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { changeIncident, checkVersion, type Expected, type ModeratedIncident } from './moderated-incident.ts'

export interface Decision {
  readonly by: Actor
  readonly note: string | null
  readonly expected: Expected
  readonly now: number
}

/** Confirms, rejects or retracts. Of several who do so at the same moment, exactly one does. */
export function transitionIncident(
  id: string,
  move: Exclude<TransitionName, 'merge'>,
  decision: Decision,
  store: Store,
): Promise<void> {
  return changeIncident(id, store, decision.now, (file) => {
    checkVersion(file, decision.expected)
    return [applyTransition(file, move, decision)]
  })
}

/** One move of one incident, or a `Problem` where its state does not allow it. */
export function applyTransition(
  { incident, moderation }: ModeratedIncident,
  move: TransitionName,
  decision: Decision,
): IncidentChange {
  checkState(incident, move)
  const { version, status } = incident
  const { to, event } = TRANSITIONS[move]
  const time = timeText(decision.now)
  // A report that is decided on is still the same version; of what has been published, everybody must see that it changed.
  const moved: Incident = {
    ...incident,
    ...(move === 'confirm' ? { confirmed_at: time, published_at: time } : {}),
    updated_at: time,
    status: to,
    version: status === 'confirmed' ? version + 1 : version,
  }
  return {
    incident: moved,
    event,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor(move, moved, decision),
  }
}

function checkState({ id, status }: Incident, move: TransitionName): void {
  if (mayTransition(move, status)) return
  throw new Problem(
    'not_in_this_state',
    `${id} is ${status}; only what is ${TRANSITIONS[move].from.join(' or ')} can be ${PAST[move]}.`,
  )
}

const PAST: Record<TransitionName, string> = {
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
