import { foldedWords } from '../lib/text.ts'
import type { Incident, Source } from './incident.ts'

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
