import type { TransitionName } from './lifecycle.ts'

/** The desk's private data about an incident, never published. */
export interface ModerationRecord {
  /** The original text, before it was shortened to a summary. */
  readonly text: string | null
  /** Indexes of the sources that speak for the police, the army or the government. */
  readonly official: readonly number[]
  /** True if a person set the severity; otherwise it follows from type and casualties. */
  readonly severity_given: boolean
  readonly merged_into: string | null
  readonly imported: Imported | null
}

/** The row that an incident was imported from: importing the same row again must change nothing. */
export interface Imported {
  readonly source_id: string
  /** Digest of the row's content. */
  readonly digest: string
  /** The version after the import; a higher one means that the desk has changed the incident. */
  readonly version: number
}

export const EMPTY_MODERATION_RECORD: ModerationRecord = {
  text: null,
  official: [],
  severity_given: false,
  merged_into: null,
  imported: null,
}

export const HISTORY_STEPS = ['report', 'update', 'confirm', 'reject', 'merge', 'retract'] as const satisfies readonly (
  | 'report'
  | 'update'
  | TransitionName
)[]
export type HistoryStep = (typeof HISTORY_STEPS)[number]

export interface HistoryEntry {
  readonly step: HistoryStep
  /** The incident's version after the action. */
  readonly version: number
  readonly at: number
  readonly by: Actor
  readonly note: string | null
  /** The names of the incident's fields that an update has changed. */
  readonly fields: readonly string[]
}

export interface Actor {
  /** The key, or the session if that was not opened with a key. */
  readonly key_id: string
  /** Null in old entries whose key is gone. */
  readonly account_id: string | null
  readonly name: string
}
