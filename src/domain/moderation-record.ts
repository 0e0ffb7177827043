import type { TransitionName } from './lifecycle.ts'

/** What the desk knows of an incident and the wire does not carry. */
export interface ModerationRecord {
  /** The report in its own words, before they became a summary. */
  readonly text: string | null
  /** Which of the incident's sources speak for police, army or government, by their place in the list. */
  readonly official: readonly number[]
  /** Somebody has set the severity: it no longer follows from type and casualties. */
  readonly severity_given: boolean
  readonly merged_into: string | null
  readonly imported: Imported | null
}

/** Where an imported incident comes from, and how it stood then: the same row again must change nothing. */
export interface Imported {
  readonly source_id: string
  /** Of what the row said. */
  readonly digest: string
  /** The version that the import left; another one means that the desk has changed it since. */
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

/** One line of an incident's history: what was done, by whom, when. */
export interface HistoryEntry {
  readonly step: HistoryStep
  /** The incident's version after it. */
  readonly version: number
  readonly at: number
  readonly by: Actor
  readonly note: string | null
  /** What an update has changed, by the names of the incident's fields. */
  readonly fields: readonly string[]
}

export interface Actor {
  readonly key_id: string
  readonly name: string
}
