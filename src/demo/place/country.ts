import type { Lga, Places, State } from '../../domain/places.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { distanceKm } from '../../lib/geometry.ts'
import { seededRandom, type WeightedChoice, weightedChoice } from '../../lib/random.ts'
import { MIXES, SEASONS } from '../tables/mixes.ts'
import { QUIET_STATE, STATES, WATERSIDE } from '../tables/states.ts'
import { lgaPhrases, placePhrases, statePhrases, townName, townPhrase } from './place-names.ts'

export interface Neighbour {
  readonly name: string
  /** Distance between the two centres. */
  readonly km: number
  readonly lat: number
  readonly lng: number
}

/** An LGA with the phrases, neighbours and sizes that the generator needs. */
export interface LgaProfile {
  readonly lga: Lga
  readonly name: string
  readonly town: string
  readonly phrases: readonly string[]
  readonly placePhrases: readonly string[]
  readonly shorter: readonly string[]
  /** Nearest LGAs with another town, for roads; never empty: an isolated LGA has itself. */
  readonly neighbours: readonly Neighbour[]
  /** Largest distance from the centre: a share of that to the nearest LGA's centre. */
  readonly reachKm: number
  readonly radiusKm: number
}

export interface StateProfile {
  readonly state: State
  readonly phrases: readonly string[]
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
  readonly lgaProfiles: WeightedChoice<LgaProfile>
  readonly waterside: WeightedChoice<LgaProfile>
  /** Weighted types by month, January first. */
  readonly types: readonly WeightedChoice<IncidentType>[]
}

/** States with their weights: built once, drawn from for every incident. */
export type Country = WeightedChoice<StateProfile>

const NEIGHBOURS = 3
const NEARBY_DEGREES = 1.5
const HOTSPOT_WEIGHT = 4
const REACH_SHARE = 0.35
const RADIUS_SHARE = 0.6
const MAX_NEIGHBOUR_KM = 40

export function countryOf(places: Places): Country {
  const lgaProfiles = new Map(places.lgas.map((lga) => [lga, lgaProfileOf(lga, places.lgas)]))
  const regions = places.states.map((state) => {
    const own = places.lgas.filter((lga) => lga.state.code === state.code).map((lga) => lgaProfiles.get(lga)!)
    return own.length === 0 ? null : stateProfileOf(state, own, places)
  })
  return weightedChoice(
    regions.filter((region) => region !== null).map((region) => [region, traitsOf(region.state).weight] as const),
  )
}

function traitsOf(state: State) {
  return STATES[state.code] ?? QUIET_STATE
}

function lgaProfileOf(lga: Lga, lgas: readonly Lga[]): LgaProfile {
  const others = lgas
    .filter((other) => other !== lga && isNearby(lga, other))
    .map((other) => ({ other, km: distanceKm(lga.lat, lga.lng, other.lat, other.lng) }))
    .sort((a, b) => a.km - b.km)
  const nearestKm = Math.min(others[0]?.km ?? MAX_NEIGHBOUR_KM, MAX_NEIGHBOUR_KM)
  const neighbours = others
    .filter(({ other }) => townName(other) !== townName(lga))
    .slice(0, NEIGHBOURS)
    .map(({ other, km }) => neighbourOf(other, km))
  return {
    lga,
    name: townName(lga),
    town: townPhrase(lga),
    phrases: lgaPhrases(lga),
    placePhrases: placePhrases(lga),
    shorter: [lgaPhrases(lga)[0]!, statePhrases(lga.state)[0]!],
    neighbours: neighbours.length > 0 ? neighbours : [neighbourOf(lga, MAX_NEIGHBOUR_KM)],
    reachKm: nearestKm * REACH_SHARE,
    radiusKm: Math.max(2, Math.ceil(nearestKm * RADIUS_SHARE)),
  }
}

function isNearby(a: Lga, b: Lga): boolean {
  return Math.abs(a.lat - b.lat) < NEARBY_DEGREES && Math.abs(a.lng - b.lng) < NEARBY_DEGREES
}

function neighbourOf(lga: Lga, km: number): Neighbour {
  return { name: townName(lga), km, lat: lga.lat, lng: lga.lng }
}

function stateProfileOf(state: State, lgaProfiles: readonly LgaProfile[], places: Places): StateProfile {
  const { mix, hotspots } = traitsOf(state)
  const hotspotLgas = lgasNamed(hotspots, state, places)
  const watersideLgas = lgasNamed(WATERSIDE[state.code] ?? [], state, places)
  const weighted = lgaProfiles.map(
    (profile) => [profile, baseWeight(profile.lga) + (hotspotLgas.has(profile.lga) ? HOTSPOT_WEIGHT : 0)] as const,
  )
  const waterside = weighted.filter(([profile]) => watersideLgas.has(profile.lga))
  const lat = lgaProfiles.reduce((sum, { lga }) => sum + lga.lat, 0) / lgaProfiles.length
  const lng = lgaProfiles.reduce((sum, { lga }) => sum + lga.lng, 0) / lgaProfiles.length
  return {
    state,
    phrases: statePhrases(state),
    lat,
    lng,
    radiusKm: Math.ceil(Math.max(10, ...lgaProfiles.map(({ lga }) => distanceKm(lat, lng, lga.lat, lga.lng)))),
    lgaProfiles: weightedChoice(weighted),
    waterside: weightedChoice(waterside.length > 0 ? waterside : weighted),
    types: Array.from({ length: 12 }, (_, month) => typesIn(MIXES[mix], month)),
  }
}

function typesIn(mix: Partial<Record<IncidentType, number>>, month: number): WeightedChoice<IncidentType> {
  const entries = Object.entries(mix) as [IncidentType, number][]
  return weightedChoice(entries.map(([type, weight]) => [type, weight * (SEASONS[type]?.[month] ?? 1)]))
}

function lgasNamed(names: readonly string[], state: State, places: Places): Set<Lga> {
  const found = names.map((name) => places.findLga(name, [state.code]))
  return new Set(found.flatMap((answer) => (answer.kind === 'found' ? [answer.place] : [])))
}

/** Gives each LGA a fixed weight from its code, so that the same LGAs are quiet with every seed. */
function baseWeight(lga: Lga): number {
  let hash = 0
  for (const character of lga.code) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return 0.3 + 1.5 * seededRandom(hash)() ** 2
}
