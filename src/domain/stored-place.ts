import type { PlaceKind } from './found-place.ts'

/** Where an operator's place comes from. */
export const PLACE_SOURCES = ['desk', 'geonames', 'geojson'] as const
export type PlaceSource = (typeof PLACE_SOURCES)[number]

/** A place that the operator has imported or the desk has added, beside the built-in ones. */
export interface StoredPlace {
  readonly id: string
  readonly source: PlaceSource
  /** Identifies the place in its source; null for the desk's. */
  readonly sourceId: string | null
  readonly name: string
  /** The lookup key of the name. */
  readonly key: string
  /** Old names and other spellings. */
  readonly aliases: readonly string[]
  readonly kind: PlaceKind
  readonly lat: number
  readonly lng: number
  /** 0 where unknown. */
  readonly population: number
  /** For what is larger than a point; null for the usual one of its kind. */
  readonly radiusKm: number | null
  readonly updatedAt: number
}
