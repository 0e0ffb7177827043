import type { EventKind, Incident, Status } from './incident.ts'

interface Transition {
  readonly from: readonly Status[]
  readonly to: Status
  /** Null if the incident was never public. */
  readonly event: EventKind | null
}

export const TRANSITIONS = {
  confirm: { from: ['reported'], to: 'confirmed', event: 'incident.created' },
  reject: { from: ['reported'], to: 'rejected', event: null },
  retract: { from: ['confirmed'], to: 'retracted', event: 'incident.retracted' },
  reopen: { from: ['rejected'], to: 'reported', event: null },
  // Copies still know the incident's earlier versions, and who was alerted is not alerted again.
  restore: { from: ['retracted'], to: 'confirmed', event: 'incident.updated' },
} as const satisfies Record<string, Transition>
export type Decided = keyof typeof TRANSITIONS

export function mayTransition(transition: Decided, status: Status): boolean {
  const from: readonly Status[] = TRANSITIONS[transition].from
  return from.includes(status)
}

export const BULK_MOVES = ['confirm', 'reject', 'retract', 'reopen', 'restore', 'claim', 'release'] as const
export type BulkMove = (typeof BULK_MOVES)[number]

/** A merge chooses between two values of each; the members of one choice belong together. */
export const MERGE_CHOICES = {
  type: ['type', 'category'],
  severity: ['severity'],
  location: ['state', 'lga', 'lat', 'lng', 'location'],
  summary: ['summary'],
  casualties: ['casualties'],
  occurred_at: ['occurred_at', 'occurred_until', 'time_precision'],
} as const satisfies Record<string, readonly (keyof Incident)[]>
export type MergedField = keyof typeof MERGE_CHOICES

export const MERGED_FIELDS = Object.keys(MERGE_CHOICES) as MergedField[]

/** `this` is the incident that is merged away, `other` the one that remains. */
type MergeSide = 'this' | 'other'
export type MergeTake = Partial<Record<MergedField, MergeSide>>

/** `absorb` is the step of the incident that another was merged into. */
export const HISTORY_STEPS = [
  ...(['report', 'update', 'confirm', 'reject', 'merge', 'absorb', 'retract', 'reopen', 'restore', 'unmerge'] as const),
  ...(['note', 'take_over', 'dismiss_duplicate', 'offer_duplicate', 'redact', 'import', 'undo_import'] as const),
] as const
export type HistoryStep = (typeof HISTORY_STEPS)[number]

/** A step of the import command: no editor has touched the incident. */
export function isImportStep(step: HistoryStep): boolean {
  return step === 'import' || step === 'undo_import'
}

export interface HistoryEntry {
  /** Null for entries made before they had ids. */
  readonly id: string | null
  readonly step: HistoryStep
  /** The incident's version after the action. */
  readonly version: number
  readonly at: number
  readonly by: Actor
  readonly note: string | null
  /** The names of the incident's fields that an update has changed. */
  readonly fields: readonly string[]
  /** Old and new values; empty for entries made before they were kept. */
  readonly changes: readonly FieldChange[]
  /** The other incident of a merge or its undoing, or of a pair that was decided on. */
  readonly other: string | null
}

/** A value before and after a step; null where there was none. */
export interface FieldChange {
  /** A field of the incident, or `desk.` and a field of the moderation record. */
  readonly field: string
  readonly old: unknown
  readonly new: unknown
}

export interface Actor {
  /** The key, or the session if that was not opened with a key. */
  readonly key_id: string
  /** Null in old entries whose key is gone. */
  readonly account_id: string | null
  readonly name: string
}

type UndoMove = 'retract' | 'reopen' | 'restore' | 'unmerge' | 'put_back'

/**
 * The move that undoes each kind of step. Publication cannot be unsent: a confirmation is
 * retracted.
 */
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

/** Returns the move that undoes the last change; null if it cannot. */
export function undoOf(history: readonly HistoryEntry[]): Undo | null {
  const last = lastChange(history)
  const move = last === null ? undefined : UNDONE_BY[last.step]
  return last?.id == null || move === undefined ? null : { step: last.id, undoes: last.step, move }
}

/** The last step that changed the incident. */
export function lastChange(history: readonly HistoryEntry[]): HistoryEntry | null {
  return history.findLast(({ step }) => !SILENT.has(step)) ?? null
}
