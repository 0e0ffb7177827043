export interface State {
  /** ISO 3166-2, as `NG-KD`. */
  readonly code: string
  readonly name: string
}

export interface Lga {
  /** State code and name in capitals, as `NG-KD-BIRNIN-GWARI`. */
  readonly code: string
  readonly name: string
  readonly state: State
  readonly lat: number
  readonly lng: number
}

export type PlaceLookup<Place> =
  | { readonly kind: 'found'; readonly place: Place }
  /** The name fits several places, in different states. */
  | { readonly kind: 'ambiguous'; readonly places: readonly Place[] }
  /** The name is known, but not in the requested states. */
  | { readonly kind: 'elsewhere'; readonly places: readonly Place[] }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[] }

export interface Places {
  readonly states: readonly State[]
  readonly lgas: readonly Lga[]
  /** By name, ISO code or known alias; case-insensitive. */
  findState(name: string): PlaceLookup<State>
  /** By name, code or known alias, case-insensitive; only within `stateCodes` if given. */
  findLga(name: string, stateCodes: readonly string[] | null): PlaceLookup<Lga>
}
