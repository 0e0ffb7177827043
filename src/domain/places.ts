import { foldAccents } from '../lib/text.ts'
import type { Precision } from './incident.ts'

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

/** The kinds of places in the gazetteer. */
export const PLACE_KINDS = ['settlement', 'forest', 'river', 'lake', 'mountain', 'market', 'camp', 'road'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/**
 * The match of a name: by its name, by another name of the place, or by similar letters only.
 */
export const MATCHES = ['exact', 'alias', 'similar'] as const
export type Match = (typeof MATCHES)[number]

/**
 * The relation of what happened to the name: "near", "between" and "road" are wider than the
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

/** The sources of an operator's places. */
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

/** The page with all states. */
export const AREA_PAGES_PATH = '/nigeria'

/**
 * The name of an area in an address: `Jema'a` becomes `jemaa`, `Abua/Odual` becomes `abua-odual`.
 */
export function areaSlug(name: string): string {
  return foldAccents(name.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The path of a state's page by its name: `/nigeria/kaduna`. */
export function statePath(state: string): string {
  return `${AREA_PAGES_PATH}/${areaSlug(state)}`
}

/** The path of an LGA's page: `/nigeria/kaduna/chikun`. */
export function lgaPath(state: string, lga: string): string {
  return `${statePath(state)}/${areaSlug(lga)}`
}

/** The path of the page about the area that an incident is known to be in. */
export function incidentAreaPath({ state, lga }: { readonly state: string; readonly lga: string | null }): string {
  return lga === null ? statePath(state) : lgaPath(state, lga)
}
