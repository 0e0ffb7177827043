import { readData, type SettlementRecord } from '../data.ts'
import { places } from '../places.ts'
import { FEATURES } from './features.ts'
import type { Gazetteer, NamedPlace } from './gazetteer.ts'
import { gazetteerOf } from './live-gazetteer.ts'

const states = new Map(places.states.map((state) => [state.code, state]))
const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))

/** Forests, lakes and districts of our own table, then the settlements of `data/`. */
export function builtInPlaces(): NamedPlace[] {
  const features = FEATURES.map(({ name, others, kind, state, lat, lng, radiusKm, population = 0 }): NamedPlace => {
    return { name, others, kind, lat, lng, radiusKm, population, state: states.get(state)!, lga: null, notable: true }
  })
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
  return [...features, ...settlements]
}

export const builtInGazetteer: Gazetteer = gazetteerOf(builtInPlaces())
