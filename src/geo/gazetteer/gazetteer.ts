import type { Lga, PlaceKind, State } from '../../domain/places.ts'

export interface GazetteerPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly state: State
  readonly lga: Lga | null
  /** 0 where unknown. */
  readonly population: number
  readonly kind: PlaceKind
  /** In a list of well-known places: its name needs no confirmation. */
  readonly notable?: true
  /** For what is larger than a point: a forest, a lake. */
  readonly radiusKm?: number
}

export interface NamedPlace extends GazetteerPlace {
  /** Old names and other spellings. */
  readonly others: readonly string[]
}

/** Names of places with their points; the keys are those of `nameKey`. */
export interface Gazetteer {
  readonly size: number
  named(key: string): readonly GazetteerPlace[]
  /** By an old name or another spelling: Suleja was called Abuja. */
  alsoCalled(key: string): readonly GazetteerPlace[]
  /** Places of these states with a similar name, the most similar only; all states where null. */
  similar(key: string, states: ReadonlySet<State> | null): readonly GazetteerPlace[]
}
