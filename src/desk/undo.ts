import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../domain/errors.ts'
import { withOldValues } from '../domain/field-changes.ts'
import { type HistoryEntry, lastChange, undoOf } from '../domain/lifecycle.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  changedSince,
  changeIncident,
  checkDecidable,
  contentChange,
  type Decision,
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
    if (move === 'put_back') return [await putBack(current, step, decision, store)]
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
