import type { TransitionName } from './lifecycle.ts'
import type { Origin } from './queue.ts'

/** The desk's private data about an incident, never published. */
export interface ModerationRecord {
  /** The original text, before it was shortened to a summary. */
  readonly text: string | null
  /** Indexes of the sources that speak for the police, the army or the government. */
  readonly official: readonly number[]
  /** True if a person set the severity; otherwise it follows from type and casualties. */
  readonly severity_given: boolean
  readonly merged_into: string | null
  /** The incidents that were merged into this one, in order; absent if there are none. */
  readonly merged_from?: readonly string[]
  /** Absent for a report through the API. */
  readonly origin?: Origin
  /** How the report was read from a story; absent for others. */
  readonly reading?: Reading
  readonly imported: Imported | null
  /** The undone import that had created the incident: importing it again brings it back. */
  readonly import_undone?: { readonly import_id: string; readonly version: number }
}

/** The row that an incident was imported from: importing the same row again must change nothing. */
export interface Imported {
  readonly source_id: string
  /** Digest of the row's content. */
  readonly digest: string
  /** The version after the import; a higher one means that the desk has changed the incident. */
  readonly version: number
  /**
   * True if the row had poorer values that were not taken: its digest does not tell what is stored.
   */
  readonly poorer?: true
}

/** What a report was read from. */
export interface Reading {
  /** The news source and its item. */
  readonly source_id: string
  readonly item_id: string
  /** How sure the reading is, from 0 to 1. */
  readonly score: number
  readonly evidence: readonly ReadEvidence[]
}

/** The part of the moderation record's text that a field was read from. */
export interface ReadEvidence {
  readonly field: string
  readonly start: number
  readonly end: number
  readonly score: number
}

export const EMPTY_MODERATION_RECORD: ModerationRecord = {
  text: null,
  official: [],
  severity_given: false,
  merged_into: null,
  imported: null,
}

/** `absorb` is the step of the incident that another was merged into. */
export const HISTORY_STEPS = [
  'report',
  'update',
  'confirm',
  'reject',
  'merge',
  'absorb',
  'retract',
  'reopen',
  'restore',
  'unmerge',
  'note',
  'take_over',
  'dismiss_duplicate',
  'offer_duplicate',
  'redact',
  'import',
  'undo_import',
] as const satisfies readonly (
  | 'report'
  | 'update'
  | 'absorb'
  | 'note'
  | 'take_over'
  | 'dismiss_duplicate'
  | 'offer_duplicate'
  | 'redact'
  | 'import'
  | 'undo_import'
  | TransitionName
)[]
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

/** Evidence points into the text: it does not outlive a change of it. */
export function withText(moderation: ModerationRecord, text: string | null): ModerationRecord {
  const { reading } = moderation
  if (reading === undefined || text === moderation.text) return { ...moderation, text }
  return { ...moderation, text, reading: { ...reading, evidence: [] } }
}

export function originOf({ origin, imported }: ModerationRecord): Origin {
  return origin ?? (imported === null ? 'api' : 'import')
}
