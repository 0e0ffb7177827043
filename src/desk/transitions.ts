import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../domain/errors.ts'
import { withOldValues } from '../domain/field-changes.ts'
import { orderIncidentFields } from '../domain/incident.ts'
import {
  type Decided,
  type HistoryEntry,
  lastChange,
  mayTransition,
  TRANSITIONS,
  undoOf,
} from '../domain/moderation.ts'
import { timeText } from '../lib/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  type ComputeChanges,
  changedSince,
  checkDecidable,
  contentChange,
  type Decision,
  decidedChange,
  loadIncident,
  type ModeratedIncident,
} from './decision.ts'
import { unmerge } from './merge.ts'

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
export function transition(transition: Decided): ComputeChanges {
  return (current, decision) => [applyTransition(current, transition, decision)]
}

/** Throws a `Problem` if the incident's status does not allow the transition. */
function applyTransition(current: ModeratedIncident, transition: Decided, decision: Decision): IncidentChange {
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
  const next = orderIncidentFields({
    ...incident,
    ...(transition === 'confirm' ? { confirmed_at: time, published_at: time } : {}),
    updated_at: time,
    status: to,
    version: status === 'confirmed' || status === 'retracted' ? version + 1 : version,
  })
  return {
    ...decidedChange(transition, current, { incident: next, moderation }, decision, { event }),
    ...(transition === 'restore' ? { revivesDeliveries: true } : {}),
  }
}

/**
 * Undoes a step of an incident, unless something has changed since. Of two editors who undo the
 * same step, the second finds it undone.
 */
export function undo(stepId: string): ComputeChanges {
  return async (current, decision, store) => {
    const { step, move } = await findUndo(current.incident.id, stepId, store)
    if (step.step === 'merge') return unmerge(current, decision, store)
    if (step.step === 'absorb') return unmerge(await loadIncident(step.other!, store), decision, store)
    if (move === 'put_back') return [await putBack(current, step, decision, store)]
    if (move === 'unmerge') throw new TypeError(`${step.step} is undone by a merge`)
    return [applyTransition(current, move, decision)]
  }
}

async function findUndo(id: string, stepId: string, store: Store) {
  const history = await store.incidents.history(id)
  const step = history.find((entry) => entry.id === stepId)
  if (step === undefined) throw new Problem('not_found', `${id} has no step ${stepId.slice(0, 60)}.`)
  const last = lastChange(history)
  if (last !== null && last.id !== stepId && history.indexOf(step) < history.indexOf(last))
    throw changedSince(id, last, `The step ${step.step}`)
  const undo = undoOf(history)
  if (undo === null || undo.step !== stepId)
    throw new Problem('not_undoable', `The step ${step.step} of ${id} is not a decision that can be undone.`)
  return { step, move: undo.move }
}

/**
 * Puts the values before a correction back, as the next version. If that takes an accepted source
 * out again, its proposal is open again.
 */
async function putBack(
  current: ModeratedIncident,
  { changes, fields }: HistoryEntry,
  decision: Decision,
  store: Store,
): Promise<IncidentChange> {
  checkDecidable(current, decision)
  const change = contentChange('update', current, withOldValues(current, changes), decision, { fields })
  const { id, sources } = current.incident
  const taken = sources.filter((source) => !change.incident.sources.some((other) => isDeepStrictEqual(source, other)))
  if (taken.length === 0) return change
  const accepted = (await store.sources.proposalsFor(id)).findLast(
    ({ state, report }) =>
      state === 'accepted' && taken.some((source) => isDeepStrictEqual(source, report.incident.sources[0])),
  )
  return accepted === undefined ? change : { ...change, decides: { id: accepted.id, state: 'open' } }
}
