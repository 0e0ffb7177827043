import type { Location } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { KM_PER_DEGREE } from '../../lib/geometry.ts'
import { pick, pickWeighted, type Random, weightedChoice } from '../../lib/random.ts'
import { PLACE_TEMPLATES, type Setting } from '../tables/settings.ts'
import { PRECISION_SHARES } from '../tables/shares.ts'
import { TRAITS } from '../tables/types.ts'
import { type Placeholders, template } from '../text/template.ts'
import type { LgaProfile, Neighbour, StateProfile } from './country.ts'
import { sideOf } from './place-names.ts'

/** An incident's location, with the phrases that a summary uses for it. */
export interface DrawnLocation {
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
