import { isDeepStrictEqual } from 'node:util'
import { withOldValues } from '../domain/desk/field-changes.ts'
import type { HistoryEntry } from '../domain/desk/moderation-record.ts'
import { lastChange, undoOf } from '../domain/desk/undo.ts'
import { Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import { orderIncidentFields } from '../domain/incident-field-order.ts'
import { timeText } from '../lib/time/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  changeIncident,
  checkDecidable,
  type Decision,
  historyEntryFor,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from './decision.ts'
import { unmergeIncident } from './merge.ts'
import { applyTransition } from './transitions.ts'

/** Undoes a step of an incident, unless something has changed since. */
export async function undoStep(
  id: string,
  stepId: string,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  const { step } = await findUndo(id, stepId, store)
  if (step.step === 'merge') return unmergeIncident(id, decision, store, save)
  if (step.step === 'absorb') return unmergeIncident(step.other!, decision, store, save)
  return changeIncident(id, store, save, async (current) => {
    // Read again: of two editors who undo the same step, the second finds it undone.
    const { step, move } = await findUndo(id, stepId, store)
    if (move === 'put_back') return [await reopeningProposal(current.incident, putBack(current, step, decision), store)]
    if (move === 'unmerge') throw new TypeError(`${step.step} is undone by a merge`)
    return [applyTransition(current, move, decision)]
  })
}

async function findUndo(id: string, stepId: string, store: Store) {
  await loadIncident(id, store)
  const history = await store.incidents.history(id)
  const step = history.find((entry) => entry.id === stepId)
  if (step === undefined) throw new Problem('not_found', `${id} has no step ${stepId.slice(0, 60)}.`)
  const last = lastChange(history)
  if (last !== null && last.id !== stepId && isBefore(step, last, history))
    throw changedSince(id, last, `The step ${step.step}`)
  const undo = undoOf(history)
  if (undo === null || undo.step !== stepId)
    throw new Problem('not_undoable', `The step ${step.step} of ${id} is not a decision that can be undone.`)
  return { step, move: undo.move }
}

function isBefore(step: HistoryEntry, last: HistoryEntry, history: readonly HistoryEntry[]): boolean {
  return history.indexOf(step) < history.indexOf(last)
}

/** Puts the values before a correction back, as the next version. */
export function putBack(current: ModeratedIncident, corrected: HistoryEntry, decision: Decision): IncidentChange {
  checkDecidable(current, decision)
  const { version, status } = current.incident
  const { incident, moderation } = withOldValues(current, corrected.changes)
  const next = orderIncidentFields({ ...incident, updated_at: timeText(decision.now), version: version + 1 })
  return {
    incident: next,
    event: status === 'confirmed' ? 'incident.updated' : null,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor('update', current, { incident: next, moderation }, decision, {
      fields: corrected.fields,
    }),
  }
}

export function changedSince(id: string, later: HistoryEntry, what: string): Problem {
  const at = new Date(later.at).toISOString()
  const fields = later.fields.length > 0 ? ` (${later.fields.join(', ')})` : ''
  return new Problem(
    'changed_since',
    `${what} cannot be undone: ${id} was changed since, by the step ${later.step}${fields} of ${later.by.name} at ${at}.`,
  )
}

/** The change; if it takes an accepted source out again, with the proposal that is open again. */
export async function reopeningProposal(
  before: Incident,
  change: IncidentChange,
  store: Store,
): Promise<IncidentChange> {
  const { sources } = change.incident
  const taken = before.sources.filter((source) => !sources.some((other) => isDeepStrictEqual(source, other)))
  if (taken.length === 0) return change
  const proposals = await store.sources.proposalsFor(before.id)
  const accepted = proposals.findLast(
    ({ state, report }) =>
      state === 'accepted' && taken.some((source) => isDeepStrictEqual(source, report.incident.sources[0])),
  )
  return accepted === undefined ? change : { ...change, decides: { id: accepted.id, state: 'open' } }
}
