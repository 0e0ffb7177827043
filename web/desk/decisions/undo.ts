import { createStore } from '../../shared/store.ts'
import type { DeskIncident, Undo } from '../api/types.ts'
import { hideRows, showRows } from '../queue/decided.ts'
import { queueFilter } from '../queue/filter.ts'
import { putRow } from '../queue/queue.ts'
import { openReport } from '../report/current.ts'
import { MOVES, type MoveName } from './moves.ts'
import { type Decision, newKey, send } from './outbox.ts'
import { showToast } from './toasts.ts'

/** A decision of this page that can be taken back. */
export interface Undoable {
  readonly key: string
  readonly move: MoveName | 'correct'
  readonly id: string
  /** The incident before the decision. */
  readonly before: DeskIncident
}

const MAX_UNDOABLE = 50

/** Newest last. */
export const undoable = createStore<readonly Undoable[]>([])

/** How each answered decision is undone, by its key and incident. */
const ways = new Map<string, Undo>()

export function addUndoable(entry: Undoable): void {
  undoable.set([...undoable.get(), entry].slice(-MAX_UNDOABLE))
}

export function noteUndo(key: string, id: string, undo: Undo | null | undefined): void {
  if (undo) ways.set(`${key} ${id}`, undo)
  else forgetUndoable(key, id)
}

export function forgetUndoable(key: string, id: string): void {
  undoable.set(undoable.get().filter((entry) => entry.key !== key || entry.id !== id))
}

/** The request that undoes an earlier decision; null if that one was refused or is unknown. */
export function undoRequest(decision: Decision): Decision | null {
  const undo = ways.get(`${decision.undoes} ${decision.ids[0]}`)
  return undo === undefined ? null : { ...decision, path: undo.path, body: { step: undo.step } }
}

/** Takes back the last decision: the report is shown again at once. */
export function undoLast(): void {
  const last = undoable.get().at(-1)
  if (last === undefined) {
    showToast('done', 'There is nothing to undo.')
    return
  }
  undoable.set(undoable.get().slice(0, -1))
  send({ key: newKey(), move: 'undo', ids: [last.id], path: '', body: {}, version: null, undoes: last.key })
  const { before } = last
  // A confirmation cannot be unsent: undoing it retracts the incident.
  const returns = last.move !== 'confirm' && last.move !== 'correct'
  if (returns && before.status === queueFilter.get().status) {
    putRow(before)
    showRows([before.id])
  } else if (last.move !== 'correct') hideRows([before.id])
  openReport(before.id)
  const done = last.move === 'correct' ? 'Correction' : MOVES[last.move].done
  showToast('done', `Undone: ${done.toLowerCase()} “${shortened(before.summary)}”`)
}

export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 58).trimEnd()}…`
}
