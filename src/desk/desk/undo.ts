import { Problem } from '../../domain/errors.ts'
import { type HistoryEntry, lastChange, undoOf } from '../../domain/lifecycle.ts'
import type { Store } from '../../store/store.ts'
import type { Decision } from './decision.ts'
import { changeIncident, loadIncident, type SaveChanges } from './moderated-incident.ts'
import { changedSince, putBack } from './put-back.ts'
import { reopeningProposal } from './reopened-proposal.ts'
import { applyTransition } from './transitions.ts'
import { unmergeIncident } from './unmerge.ts'

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
