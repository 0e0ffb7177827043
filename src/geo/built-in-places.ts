import type { PlaceKind } from '../domain/places.ts'
import { lazy } from '../lib/memoize.ts'
import { readData, type SettlementRecord } from './data.ts'
import { type Gazetteer, gazetteerOf, type NamedPlace } from './gazetteer.ts'
import { places } from './places.ts'

const states = new Map(places.states.map((state) => [state.code, state]))
const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))

const feature = (
  name: string,
  kind: PlaceKind,
  state: string,
  [lat, lng]: readonly [lat: number, lng: number],
  radiusKm: number,
  ...others: string[]
): NamedPlace => {
  return { name, others, kind, lat, lng, radiusKm, population: 0, state: states.get(state)!, lga: null, notable: true }
}

/** Its size is that by which it wins over a hamlet of the same name elsewhere. */
const district = (name: string, state: string, lat: number, lng: number, radiusKm = 3, ...others: string[]) => {
  return { ...feature(name, 'settlement', state, [lat, lng], radiusKm, ...others), population: 60_000 }
}

/**
 * Forests, lakes, mountains, districts of cities, a border town whose published point is wrong:
 * news names them, and no list of settlements has them. Each point was compared with at least one
 * other source; operators import the rest.
 */
const FEATURES: readonly NamedPlace[] = [
  feature(
    'Sambisa Forest',
    'forest',
    'NG-BO',
    [11.25, 13.4],
    45,
    'Sambisa',
    'Sambisa Game Reserve',
    'Sambisa Forest Reserve',
  ),
  feature('Lake Chad', 'lake', 'NG-BO', [13.1, 13.9], 50, 'Lake Chad Basin', 'shores of Lake Chad'),
  feature('Mandara Mountains', 'mountain', 'NG-BO', [11.0, 13.75], 30, 'Mandara Hills', 'Mandara Mountain'),
  feature('Kainji Lake', 'lake', 'NG-NI', [10.3, 4.5], 40, 'Lake Kainji', 'Kainji Lake National Park', 'Kainji Forest'),
  district('Banki', 'NG-BO', 11.245, 14.143),
  district('Wuse', 'NG-FC', 9.077, 7.472, 3, 'Wuse 2', 'Wuse II', 'Wuse Zone'),
  // Of Garki and Nyanya, no second source has the points: known to their part of the city only.
  district('Garki', 'NG-FC', 9.037, 7.49, 8),
  district('Maitama', 'NG-FC', 9.089, 7.495),
  district('Asokoro', 'NG-FC', 9.045, 7.52),
  district('Gwarinpa', 'NG-FC', 9.11, 7.41, 3, 'Gwarimpa'),
  district('Kubwa', 'NG-FC', 9.155, 7.33),
  district('Lugbe', 'NG-FC', 8.98, 7.37),
  district('Nyanya', 'NG-FC', 9.03, 7.575, 8),
  district('Utako', 'NG-FC', 9.07, 7.44),
  district('Afaka', 'NG-KD', 10.665, 7.387),
  district('Buruku', 'NG-KD', 10.618, 7.231),
]

/** Our own table, then the settlements of `data/`. */
export const builtInPlaces = lazy((): readonly NamedPlace[] => {
  // Member by member: a rest of each of thousands of records takes as long as reading them.
  const settlements = readData<SettlementRecord[]>('settlements.json').map(
    ({ name, lat, lng, state, lga, population, others }): NamedPlace => ({
      name,
      lat,
      lng,
      state: states.get(state)!,
      lga: (lga && lgas.get(lga)) || null,
      population,
      kind: 'settlement',
      notable: true,
      others,
    }),
  )
  return [...FEATURES, ...settlements]
})

/** The built-in places alone, made when first asked for: the service has a gazetteer of its own. */
export const builtInGazetteer = lazy((): Gazetteer => gazetteerOf(builtInPlaces()))
