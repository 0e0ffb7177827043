import type { Lga, Places, State } from '../../domain/places.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { distanceKm } from '../../lib/geometry/geometry.ts'
import { type Choice, choiceOf, seededRandom } from '../../lib/random.ts'
import { MIXES, SEASONS } from '../tables/mixes.ts'
import { QUIET_STATE, STATES, WATERSIDE } from '../tables/states.ts'
import { lgaPhrases, placePhrases, statePhrases, townName, townPhrase } from './place-names.ts'

export interface Neighbour {
  readonly name: string
  /** How far away, in all. */
  readonly km: number
  readonly lat: number
  readonly lng: number
}

/** An LGA with what the generator needs of it. */
export interface Site {
  readonly lga: Lga
  readonly name: string
  readonly town: string
  readonly phrases: readonly string[]
  readonly placePhrases: readonly string[]
  readonly shorter: readonly string[]
  /** The nearest LGAs with another town, where the roads lead; never none: a lone LGA is its own neighbour. */
  readonly neighbours: readonly Neighbour[]
  /** How far from the LGA's centre an incident may lie: well within the LGA, as far as centres tell. */
  readonly reachKm: number
  readonly radiusKm: number
}

export interface Region {
  readonly state: State
  readonly phrases: readonly string[]
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
  readonly sites: Choice<Site>
  readonly waterside: Choice<Site>
  /** By month, January first. */
  readonly types: readonly Choice<IncidentType>[]
}

/** The country, weighted: made once, drawn from a million times. */
export type Country = Choice<Region>

const NEIGHBOURS = 3
const NEARBY_DEGREES = 1.5
const HOTSPOT_WEIGHT = 4
const REACH = 0.35
const RADIUS = 0.6
const LONELY_KM = 40

export function countryOf(places: Places): Country {
  const sites = new Map(places.lgas.map((lga) => [lga, siteOf(lga, places.lgas)]))
  const regions = places.states.map((state) => {
    const own = places.lgas.filter((lga) => lga.state.code === state.code).map((lga) => sites.get(lga)!)
    return own.length === 0 ? null : regionOf(state, own, places)
  })
  return choiceOf(
    regions.filter((region) => region !== null).map((region) => [region, traitsOf(region.state).weight] as const),
  )
}

function traitsOf(state: State) {
  return STATES[state.code] ?? QUIET_STATE
}

function siteOf(lga: Lga, lgas: readonly Lga[]): Site {
  const others = lgas
    .filter((other) => other !== lga && isNearby(lga, other))
    .map((other) => ({ other, km: distanceKm(lga.lat, lga.lng, other.lat, other.lng) }))
    .sort((a, b) => a.km - b.km)
  const nearestKm = Math.min(others[0]?.km ?? LONELY_KM, LONELY_KM)
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
    neighbours: neighbours.length > 0 ? neighbours : [neighbourOf(lga, LONELY_KM)],
    reachKm: nearestKm * REACH,
    radiusKm: Math.max(2, Math.ceil(nearestKm * RADIUS)),
  }
}

function isNearby(a: Lga, b: Lga): boolean {
  return Math.abs(a.lat - b.lat) < NEARBY_DEGREES && Math.abs(a.lng - b.lng) < NEARBY_DEGREES
}

function neighbourOf(lga: Lga, km: number): Neighbour {
  return { name: townName(lga), km, lat: lga.lat, lng: lga.lng }
}

function regionOf(state: State, sites: readonly Site[], places: Places): Region {
  const { mix, hotspots } = traitsOf(state)
  const hot = named(hotspots, state, places)
  const wet = named(WATERSIDE[state.code] ?? [], state, places)
  const weighted = sites.map(
    (site) => [site, quietWeight(site.lga) + (hot.has(site.lga) ? HOTSPOT_WEIGHT : 0)] as const,
  )
  const waterside = weighted.filter(([site]) => wet.has(site.lga))
  const lat = sites.reduce((sum, { lga }) => sum + lga.lat, 0) / sites.length
  const lng = sites.reduce((sum, { lga }) => sum + lga.lng, 0) / sites.length
  return {
    state,
    phrases: statePhrases(state),
    lat,
    lng,
    radiusKm: Math.ceil(Math.max(10, ...sites.map(({ lga }) => distanceKm(lat, lng, lga.lat, lga.lng)))),
    sites: choiceOf(weighted),
    waterside: choiceOf(waterside.length > 0 ? waterside : weighted),
    types: Array.from({ length: 12 }, (_, month) => typesIn(MIXES[mix], month)),
  }
}

function typesIn(mix: Partial<Record<IncidentType, number>>, month: number): Choice<IncidentType> {
  const entries = Object.entries(mix) as [IncidentType, number][]
  return choiceOf(entries.map(([type, weight]) => [type, weight * (SEASONS[type]?.[month] ?? 1)]))
}

function named(names: readonly string[], state: State, places: Places): Set<Lga> {
  const found = names.map((name) => places.findLga(name, [state.code]))
  return new Set(found.flatMap((answer) => (answer.kind === 'found' ? [answer.place] : [])))
}

/** Some LGAs are always quieter than others: their own name decides, so that every seed agrees. */
function quietWeight(lga: Lga): number {
  let hash = 0
  for (const character of lga.code) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return 0.3 + 1.5 * seededRandom(hash)() ** 2
}
