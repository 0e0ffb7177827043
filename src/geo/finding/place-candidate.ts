import type { Precision } from '../../domain/incident.ts'
import type { Lga, Match, Relation, State } from '../../domain/places.ts'
import type { Mention } from './mentions.ts'

export interface Matched {
  readonly how: Match
  /** The words of the text, and where they stand. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface PlaceCandidate {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
  readonly state: State
  readonly lga: Lga | null
  /** From 0 to 1; compares candidates of the same text only. */
  readonly score: number
  readonly matched: Matched
  /** "near", "between" and "road" are wider than the place they name. */
  readonly relation: Relation
  /** The kind that the text states. */
  readonly stated: Mention['kind']
  /** A town that is known, or a hamlet whose LGA or neighbours the text names as well. */
  readonly certain: boolean
  /**
   * The LGA or state around it that the text names as well, or where the group that it names is
   * active.
   */
  readonly around: Lga | State | null
}

/** Restricts the search to a state or LGA, by name, code or alias. */
export interface PlaceScope {
  readonly state?: string
  readonly lga?: string
}
