import type { HistoryEntry, HistoryStep } from './moderation-record.ts'

export type UndoMove = 'retract' | 'reopen' | 'restore' | 'unmerge' | 'put_back'

/** What undoes each kind of step. Publication cannot be unsent: a confirmation is retracted. */
const UNDONE_BY: Partial<Readonly<Record<HistoryStep, UndoMove>>> = {
  update: 'put_back',
  confirm: 'retract',
  reject: 'reopen',
  retract: 'restore',
  merge: 'unmerge',
  absorb: 'unmerge',
}

/** Steps that change nothing of the incident. */
const SILENT: ReadonlySet<HistoryStep> = new Set(['note', 'take_over', 'dismiss_duplicate', 'offer_duplicate'])

export interface Undo {
  readonly step: string
  readonly undoes: HistoryStep
  readonly move: UndoMove
}

/** How the last change of the history can be undone; null if it cannot. */
export function undoOf(history: readonly HistoryEntry[]): Undo | null {
  const last = lastChange(history)
  const move = last === null ? undefined : UNDONE_BY[last.step]
  return last?.id == null || move === undefined ? null : { step: last.id, undoes: last.step, move }
}

/** The last step that changed the incident. */
export function lastChange(history: readonly HistoryEntry[]): HistoryEntry | null {
  return history.findLast(({ step }) => !SILENT.has(step)) ?? null
}
