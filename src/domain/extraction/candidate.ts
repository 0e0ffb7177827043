import type { Match } from '../found-place.ts'
import type { Casualties, Precision, TimePrecision } from '../incident.ts'
import type { Category, IncidentType } from '../taxonomy.ts'
import type { Evidence } from './evidence.ts'

/** What a place was matched to, and how. */
export interface MatchedPlace {
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
  /** Where the place is a question, the answers that fit, best first; empty where it is none. */
  readonly place_choices: readonly PlaceChoice[]
  /** ISO 8601, UTC. */
  readonly occurred_at: string | null
  readonly time_precision: TimePrecision | null
  readonly casualties: Casualties
  readonly score: number
  readonly evidence: readonly Evidence[]
}
