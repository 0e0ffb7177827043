import type { Location } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { KM_PER_DEGREE } from '../../lib/geometry/geometry.ts'
import { choiceOf, draw, pick, type Random } from '../../lib/random.ts'
import { type Setting, SPOTS } from '../tables/settings.ts'
import { PRECISION_SHARES } from '../tables/shares.ts'
import { TRAITS } from '../tables/types.ts'
import { type Slots, template } from '../text/template.ts'
import type { Neighbour, Region, Site } from './country.ts'
import { sideOf } from './place-names.ts'

/** Where an incident lies, and how a sentence says so. */
export interface Whereabouts {
  readonly lga: string | null
  readonly lat: number
  readonly lng: number
  readonly location: Location
  readonly phrase: string
  /** The same in fewer words and in fewer still, where a sentence would become too long. */
  readonly shorter: readonly string[]
  /** Null where only the LGA or the state is known. */
  readonly setting: Setting | null
}

interface Aim {
  readonly site: Site
  /** In radians, clockwise from north. */
  readonly bearing: number
  readonly next: Neighbour
}

const EXACT_RADIUS_KM = 0.5
const SETTLEMENT_RADII_KM = [2, 3, 3, 5]
const PRECISIONS = choiceOf(PRECISION_SHARES)

const SLOTS: Slots<Aim> = {
  town: ({ site }) => site.town,
  name: ({ site }) => site.name,
  next: ({ next }) => next.name,
  side: ({ bearing }) => sideOf(bearing),
}

const KNOWN_SPOTS = Object.fromEntries(
  Object.entries(SPOTS).map(([setting, spots]) => [
    setting,
    spots.map(({ lead, place }) => ({ lead, place: template(place, SLOTS) })),
  ]),
) as Record<Setting, { lead: string; place: ReturnType<typeof template<Aim>> }[]>

export function whereabouts(region: Region, type: IncidentType, random: Random): Whereabouts {
  const precision = draw(random, PRECISIONS)
  if (precision === 'state') return somewhereIn(region, random)
  const site = draw(random, type === 'piracy' ? region.waterside : region.sites)
  const aim = { site, bearing: random() * 2 * Math.PI, next: pick(random, site.neighbours) }
  const setting = precision === 'lga' ? null : pick(random, TRAITS[type].settings)
  const spot = setting && pick(random, KNOWN_SPOTS[setting])
  const place = spot ? spot.place.render(aim) : null
  const { lat, lng } = spot?.place.uses.has('next') ? onTheWay(aim, random) : withinReach(aim, random)
  return {
    lga: site.lga.name,
    lat: rounded(lat),
    lng: rounded(lng),
    location: {
      place,
      precision,
      radius_km: radius(precision, site, random),
      state_code: site.lga.state.code,
      lga_code: site.lga.code,
      lga_basis: 'reported',
    },
    phrase: spot ? `${spot.lead} ${place} ${pick(random, site.placePhrases)}` : pick(random, site.phrases),
    shorter: site.shorter,
    setting,
  }
}

function somewhereIn(region: Region, random: Random): Whereabouts {
  return {
    lga: null,
    lat: rounded(region.lat),
    lng: rounded(region.lng),
    location: {
      place: null,
      precision: 'state',
      radius_km: region.radiusKm,
      state_code: region.state.code,
      lga_code: null,
      lga_basis: null,
    },
    phrase: pick(random, region.phrases),
    shorter: region.phrases.slice(0, 1),
    setting: null,
  }
}

function radius(precision: 'exact' | 'settlement' | 'lga', site: Site, random: Random): number {
  if (precision === 'exact') return EXACT_RADIUS_KM
  return precision === 'lga' ? site.radiusKm : pick(random, SETTLEMENT_RADII_KM)
}

function onTheWay({ site, next }: Aim, random: Random): { lat: number; lng: number } {
  const { lat, lng } = site.lga
  const way = (site.reachKm * random()) / next.km
  return { lat: lat + way * (next.lat - lat), lng: lng + way * (next.lng - lng) }
}

function withinReach({ site, bearing }: Aim, random: Random): { lat: number; lng: number } {
  const { lat, lng } = site.lga
  const degrees = (site.reachKm * Math.sqrt(random())) / KM_PER_DEGREE
  return {
    lat: lat + degrees * Math.cos(bearing),
    lng: lng + (degrees * Math.sin(bearing)) / Math.cos((lat * Math.PI) / 180),
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
