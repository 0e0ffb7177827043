import type { Location } from '../domain/incident.ts'
import type { Lga, Places, State } from '../domain/places.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import { distanceKm, KM_PER_DEGREE } from '../lib/geometry.ts'
import { memoize } from '../lib/memoize.ts'
import { pick, pickWeighted, type Random, seededRandom, type WeightedChoice, weightedChoice } from '../lib/random.ts'
import {
  MIXES,
  PLACE_TEMPLATES,
  PRECISION_SHARES,
  QUIET_STATE,
  SEASONS,
  type Setting,
  STATES,
  TRAITS,
  WATERSIDE,
} from './mixes.ts'
import { type Placeholders, template } from './summary.ts'

interface Neighbour {
  readonly name: string
  /** Distance between the two centres. */
  readonly km: number
  readonly lat: number
  readonly lng: number
}

/** An LGA with the phrases, neighbours and sizes that the generator needs. */
interface LgaProfile {
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

interface StateProfile {
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

/** Compares all LGAs with one another, once: the history and the live feeds draw from the same. */
export const countryOf = memoize((places: Places): Country => {
  const lgaProfiles = new Map(places.lgas.map((lga) => [lga, lgaProfileOf(lga, places.lgas)]))
  const regions = places.states.map((state) => {
    const own = places.lgas.filter((lga) => lga.state.code === state.code).map((lga) => lgaProfiles.get(lga)!)
    return own.length === 0 ? null : stateProfileOf(state, own, places)
  })
  return weightedChoice(
    regions.filter((region) => region !== null).map((region) => [region, traitsOf(region.state).weight] as const),
  )
})

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

/** An incident's location, with the phrases that a summary uses for it. */
interface DrawnLocation {
  readonly lga: string | null
  readonly lat: number
  readonly lng: number
  readonly location: Location
  readonly phrase: string
  /** Shorter phrases, the longer one first, for sentences that would become too long. */
  readonly shorter: readonly string[]
  /** Null where only the LGA or the state is known. */
  readonly setting: Setting | null
}

interface PlaceContext {
  readonly profile: LgaProfile
  /** In radians, clockwise from north. */
  readonly bearing: number
  readonly next: Neighbour
}

const EXACT_RADIUS_KM = 0.5
const SETTLEMENT_RADII_KM = [2, 3, 3, 5]
const PRECISIONS = weightedChoice(PRECISION_SHARES)

const PLACEHOLDERS: Placeholders<PlaceContext> = {
  town: ({ profile }) => profile.town,
  name: ({ profile }) => profile.name,
  next: ({ next }) => next.name,
  side: ({ bearing }) => sideOf(bearing),
}

const TEMPLATES = Object.fromEntries(
  Object.entries(PLACE_TEMPLATES).map(([setting, templates]) => [
    setting,
    templates.map(({ lead, place }) => ({ lead, place: template(place, PLACEHOLDERS) })),
  ]),
) as Record<Setting, { lead: string; place: ReturnType<typeof template<PlaceContext>> }[]>

export function drawLocation(state: StateProfile, type: IncidentType, random: Random): DrawnLocation {
  const precision = pickWeighted(random, PRECISIONS)
  if (precision === 'state') return stateLocation(state, random)
  const profile = pickWeighted(random, type === 'piracy' ? state.waterside : state.lgaProfiles)
  const context = { profile, bearing: random() * 2 * Math.PI, next: pick(random, profile.neighbours) }
  const setting = precision === 'lga' ? null : pick(random, TRAITS[type].settings)
  const chosen = setting && pick(random, TEMPLATES[setting])
  const place = chosen ? chosen.place.render(context) : null
  const { lat, lng } = chosen?.place.uses.has('next') ? pointOnRoad(context, random) : pointNearCentre(context, random)
  return {
    lga: profile.lga.name,
    lat: rounded(lat),
    lng: rounded(lng),
    location: {
      place,
      precision,
      radius_km: radius(precision, profile, random),
      state_code: profile.lga.state.code,
      lga_code: profile.lga.code,
      lga_basis: 'reported',
    },
    phrase: chosen ? `${chosen.lead} ${place} ${pick(random, profile.placePhrases)}` : pick(random, profile.phrases),
    shorter: profile.shorter,
    setting,
  }
}

function stateLocation(state: StateProfile, random: Random): DrawnLocation {
  return {
    lga: null,
    lat: rounded(state.lat),
    lng: rounded(state.lng),
    location: {
      place: null,
      precision: 'state',
      radius_km: state.radiusKm,
      state_code: state.state.code,
      lga_code: null,
      lga_basis: null,
    },
    phrase: pick(random, state.phrases),
    shorter: state.phrases.slice(0, 1),
    setting: null,
  }
}

function radius(precision: 'exact' | 'settlement' | 'lga', profile: LgaProfile, random: Random): number {
  if (precision === 'exact') return EXACT_RADIUS_KM
  return precision === 'lga' ? profile.radiusKm : pick(random, SETTLEMENT_RADII_KM)
}

function pointOnRoad({ profile, next }: PlaceContext, random: Random): { lat: number; lng: number } {
  const { lat, lng } = profile.lga
  const share = (profile.reachKm * random()) / next.km
  return { lat: lat + share * (next.lat - lat), lng: lng + share * (next.lng - lng) }
}

function pointNearCentre({ profile, bearing }: PlaceContext, random: Random): { lat: number; lng: number } {
  const { lat, lng } = profile.lga
  const degrees = (profile.reachKm * Math.sqrt(random())) / KM_PER_DEGREE
  return {
    lat: lat + degrees * Math.cos(bearing),
    lng: lng + (degrees * Math.sin(bearing)) / Math.cos((lat * Math.PI) / 180),
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}

const CAPITAL_TERRITORY = 'NG-FC'
const CITIES = new Set(['NG-LA'])
const PART_OF_TOWN = /( (North|South|East|West|Central|Municipal|Waterside)([ -](East|West))?)$/

/** Derives the name of the LGA's main town from the LGA's name: `Aba` for Aba South. */
function townName(lga: Lga): string {
  return lga.name.replace(PART_OF_TOWN, '').split('/')[0]!
}

function townPhrase(lga: Lga): string {
  const name = townName(lga)
  return CITIES.has(lga.state.code) || name === 'Abuja' ? name : `${name} town`
}

function statePhrase(state: State): string {
  return state.code === CAPITAL_TERRITORY ? 'the Federal Capital Territory' : `${state.name} State`
}

function lgaPhrases(lga: Lga): readonly string[] {
  const state = statePhrase(lga.state)
  const area = lga.state.code === CAPITAL_TERRITORY ? `${lga.name} Area Council` : `${lga.name} LGA`
  return [`in ${area} of ${state}`, `in ${area} of ${state}`, `in ${state}'s ${area}`]
}

/** Phrases for a place that is named after its LGA's town. */
function placePhrases(lga: Lga): readonly string[] {
  // Avoids repetitions as in "Isa town in Isa LGA"; "Aba town in Aba South LGA" is none.
  return townName(lga) === lga.name ? [`in ${statePhrase(lga.state)}`, lgaPhrases(lga)[0]!] : lgaPhrases(lga)
}

function statePhrases(state: State): readonly string[] {
  const phrase = statePhrase(state)
  return [`in ${phrase}`, `at an undisclosed location in ${phrase}`, `in a remote part of ${phrase}`]
}

const SIDES = ['north', 'east', 'south', 'west'] as const

/** The cardinal direction of a bearing (in radians, clockwise from north). */
function sideOf(bearing: number): string {
  return SIDES[Math.round(bearing / (Math.PI / 2)) % 4]!
}
