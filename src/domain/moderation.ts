import { foldedWords } from '../lib/text.ts'
import type { EventKind, Incident, Source, Status } from './incident.ts'

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
  /** The reading of the report from a story; absent for others. */
  readonly reading?: Reading
  readonly imported: Imported | null
  /** The undone import that had created the incident: importing it again brings it back. */
  readonly import_undone?: { readonly import_id: string; readonly version: number }
}

/** The row that an incident was imported from: importing the same row again must change nothing. */
interface Imported {
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

/** The source of a report that was read. */
interface Reading {
  /** The news source and its item. */
  readonly source_id: string
  readonly item_id: string
  /** The certainty of the reading, from 0 to 1. */
  readonly score: number
  readonly evidence: readonly ReadEvidence[]
}

/** The part of the moderation record's text that a field was read from. */
interface ReadEvidence {
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

/** Evidence points into the text: it does not outlive a change of it. */
export function withText(moderation: ModerationRecord, text: string | null): ModerationRecord {
  const { reading } = moderation
  if (reading === undefined || text === moderation.text) return { ...moderation, text }
  return { ...moderation, text, reading: { ...reading, evidence: [] } }
}

export function originOf({ origin, imported }: ModerationRecord): Origin {
  return origin ?? (imported === null ? 'api' : 'import')
}

/** The ways by which a report arrives. */
export const ORIGINS = ['api', 'feed', 'tip', 'import'] as const
export type Origin = (typeof ORIGINS)[number]

export const DESK_ORDERS = ['newest', 'oldest', 'severity', 'confidence'] as const
export type DeskOrder = (typeof DESK_ORDERS)[number]

/** Whether a list includes the possible duplicates of each report. */
export const DUPLICATE_CHOICES = ['all', 'none'] as const

/** A claim lapses after this time unless it is renewed. */
export const CLAIM_MS = 15 * 60_000

/** An editor who works on an incident: until the claim lapses, nobody else may change it. */
export interface Claim {
  readonly accountId: string
  /** The editor's name, shown at the desk only. */
  readonly name: string
  readonly until: number
}

/** The claim, or null if it has lapsed. */
export function liveClaim(claim: Claim | null, now: number): Claim | null {
  return claim !== null && claim.until > now ? claim : null
}

const MAX_SEARCHED = 4_000

type Searched = Pick<Incident, 'summary' | 'state' | 'lga' | 'location'> & { readonly sources: readonly Source[] }

/** Folded words, each after one space, so that `' gon'` is found where a word begins with it. */
export function searchText({ summary, state, lga, location, sources }: Searched): string {
  const texts = [summary, location.place, lga, state, ...sources.flatMap(({ publisher, url }) => [publisher, url])]
  const text = ` ${foldedWords(texts.filter((each) => each !== null).join(' ')).join(' ')}`
  // Cut between words: half of a surrogate pair cannot be stored.
  return text.length <= MAX_SEARCHED ? text : text.slice(0, text.lastIndexOf(' ', MAX_SEARCHED))
}

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
