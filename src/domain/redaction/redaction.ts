import type { Actor } from '../desk/moderation-record.ts'

/** Stands where a text was. */
export const REDACTED = '[redacted]'

/** What a redaction can take out as a whole; `all` is every one of them. */
export const REDACTABLE_FIELDS = {
  summary: 'the summary',
  text: 'the original text of the report',
  sources: 'the sources, and the names of sources beside their figures',
  notes: 'the notes of the history',
  place: 'the name of the place; state and LGA stay',
  point: "the coordinates, replaced by the centre of the LGA, or of the state's LGAs",
  casualties: 'the figures',
  contact: 'the contact of whoever sent a tip',
} as const
export type RedactableField = keyof typeof REDACTABLE_FIELDS
export const REDACTABLE_FIELD_NAMES = Object.keys(REDACTABLE_FIELDS) as RedactableField[]

export const MAX_WORDS = 20
export const MAX_WORD_LENGTH = 100

export interface RedactionRequest {
  readonly fields: readonly RedactableField[]
  /** Taken out of every text, however they are written: a victim's name. */
  readonly words: readonly string[]
}

/** What is kept of a redaction: that it was, not what it took out. */
export interface RedactionRecord {
  readonly id: string
  readonly incidentId: string
  /** The incident and those that were merged with it. */
  readonly incidentIds: readonly string[]
  readonly at: number
  readonly by: Actor
  readonly fields: readonly RedactableField[]
  /** How often each word was found, in the order of the request. */
  readonly found: readonly number[]
  readonly reason: string
  /** When the database no longer held the old content; null until then. */
  readonly erasedAt: number | null
}
