import type { Casualties, Precision, TimePrecision } from './incident.ts'
import type { Match } from './places.ts'
import type { Category, IncidentType } from './taxonomy.ts'

/** Characters of a story that are read. */
export const MAX_STORY_LENGTH = 20_000

export interface Story {
  readonly text: string
  readonly title?: string | null
  /** Its path may name the section: `/sports/`. */
  readonly url?: string | null
  /** ISO 8601; "on Tuesday" is read relative to it. */
  readonly published_at?: string | null
}

/** The place that was matched, and the kind of match. */
interface MatchedPlace {
  readonly name: string
  readonly how: Match
}

/** One of several places that the text may mean. */
export interface PlaceChoice extends MatchedPlace {
  readonly state: string
  readonly lga: string | null
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
}

/** A proposed report. What the text does not say is null. */
export interface IncidentCandidate {
  readonly type: IncidentType
  readonly category: Category
  readonly state: string | null
  readonly lga: string | null
  readonly lat: number | null
  readonly lng: number | null
  readonly precision: Precision | null
  readonly radius_km: number | null
  readonly matched: MatchedPlace | null
  /** If the place is a question, the answers that fit, best first; empty where it is none. */
  readonly place_choices: readonly PlaceChoice[]
  /** ISO 8601, UTC. */
  readonly occurred_at: string | null
  readonly time_precision: TimePrecision | null
  readonly casualties: Casualties
  readonly score: number
  readonly evidence: readonly Evidence[]
}

/** The fields of a proposed report that are read from words of the text. */
export const EVIDENCE_FIELDS = ['type', 'place', 'occurred_at', 'killed', 'injured', 'abducted'] as const
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number]

/** The words that a field was read from. */
export interface Evidence {
  readonly field: EvidenceField
  readonly source: 'title' | 'text'
  readonly start: number
  readonly end: number
  readonly text: string
  /** From 0 to 1. */
  readonly score: number
}
