import type { Precision } from './incident.ts'

/** What a place of the gazetteer is. */
export const PLACE_KINDS = ['settlement', 'forest', 'river', 'lake', 'mountain', 'market', 'camp', 'road'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/**
 * How a name was matched: by its name, by another name of the place, or by similar letters only.
 */
export const MATCHES = ['exact', 'alias', 'similar'] as const
export type Match = (typeof MATCHES)[number]

/**
 * How a text relates what happened to the name: "near", "between" and "road" are wider than the
 * place.
 */
export const RELATIONS = ['at', 'near', 'between', 'road', 'part', 'away'] as const
export type Relation = (typeof RELATIONS)[number]

/** Whether a text means one place, several that fit, one that is only similar, or none. */
export const MEANINGS = ['one', 'several', 'similar', 'none'] as const
export type Meaning = (typeof MEANINGS)[number]

/** A place that a text may mean, as responses show it. */
export interface FoundPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
  readonly score: number
  readonly state: string
  readonly state_code: string
  readonly lga: string | null
  readonly lga_code: string | null
  readonly matched: { readonly how: Match; readonly text: string }
  readonly relation: Relation
  /** The text may mean it as well as the first. */
  readonly rival: boolean
}
