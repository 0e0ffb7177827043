import type { PlaceKind } from '../../domain/places.ts'

/**
 * What news names and no list of settlements has: forests, lakes, mountains, districts of cities, a
 * border town whose published point is wrong. Each point was compared with at least one other
 * source; operators import the rest.
 */
export interface Feature {
  readonly name: string
  readonly others: readonly string[]
  readonly kind: PlaceKind
  readonly state: string
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
  /** Of a district: its size, by which it wins over a hamlet of the same name elsewhere. */
  readonly population?: number
}

const area = (
  name: string,
  kind: PlaceKind,
  state: string,
  lat: number,
  lng: number,
  radiusKm: number,
  ...others: string[]
): Feature => ({ name, others, kind, state, lat, lng, radiusKm })

const district = (name: string, state: string, lat: number, lng: number, ...others: string[]): Feature => ({
  name,
  others,
  kind: 'settlement',
  state,
  lat,
  lng,
  radiusKm: 3,
  population: 60_000,
})

export const FEATURES: readonly Feature[] = [
  area(
    'Sambisa Forest',
    'forest',
    'NG-BO',
    11.25,
    13.4,
    45,
    'Sambisa',
    'Sambisa Game Reserve',
    'Sambisa Forest Reserve',
  ),
  area('Lake Chad', 'lake', 'NG-BO', 13.1, 13.9, 50, 'Lake Chad Basin', 'shores of Lake Chad'),
  area('Mandara Mountains', 'mountain', 'NG-BO', 11.0, 13.75, 30, 'Mandara Hills', 'Mandara Mountain'),
  area('Kainji Lake', 'lake', 'NG-NI', 10.3, 4.5, 40, 'Lake Kainji', 'Kainji Lake National Park', 'Kainji Forest'),
  district('Banki', 'NG-BO', 11.245, 14.143),
  district('Wuse', 'NG-FC', 9.077, 7.472, 'Wuse 2', 'Wuse II', 'Wuse Zone'),
  // In Abuja, but no second source has their points: known to their part of the city only.
  { ...district('Garki', 'NG-FC', 9.037, 7.49), radiusKm: 8 },
  district('Maitama', 'NG-FC', 9.089, 7.495),
  district('Asokoro', 'NG-FC', 9.045, 7.52),
  district('Gwarinpa', 'NG-FC', 9.11, 7.41, 'Gwarimpa'),
  district('Kubwa', 'NG-FC', 9.155, 7.33),
  district('Lugbe', 'NG-FC', 8.98, 7.37),
  { ...district('Nyanya', 'NG-FC', 9.03, 7.575), radiusKm: 8 },
  district('Utako', 'NG-FC', 9.07, 7.44),
  district('Afaka', 'NG-KD', 10.665, 7.387),
  district('Buruku', 'NG-KD', 10.618, 7.231),
]
