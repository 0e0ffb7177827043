export interface State {
  /** ISO 3166-2, as `NG-KD`. */
  readonly code: string
  readonly name: string
}

export interface Lga {
  /** The state's code and the name in capitals, as `NG-KD-BIRNIN-GWARI`. */
  readonly code: string
  readonly name: string
  readonly state: State
  readonly lat: number
  readonly lng: number
}

export type Found<Place> =
  | { readonly kind: 'found'; readonly place: Place }
  /** The name fits several places; a state would tell them apart. */
  | { readonly kind: 'ambiguous'; readonly places: readonly Place[] }
  /** The name is known, but not in the states that were asked for. */
  | { readonly kind: 'elsewhere'; readonly places: readonly Place[] }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[] }

/** The gazetteer that a filter's names are resolved by. */
export interface Places {
  readonly states: readonly State[]
  readonly lgas: readonly Lga[]
  /** By name, ISO code or known alias, in any case. */
  findState(name: string): Found<State>
  /** By name, code or known alias, in any case; only within `stateCodes` where they are given. */
  findLga(name: string, stateCodes: readonly string[] | null): Found<Lga>
}
