import type { FeatureCollection } from 'geojson'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { request } from './request.ts'

/** What a small map needs besides its library; not imported by it, so that both load together. */
export interface SmallMapParts {
  readonly states: FeatureCollection
  readonly workerUrl: string
}

/** Loads the states' borders while `library` loads the code of the map. */
export async function loadSmallMap<Library>(library: Promise<Library>): Promise<readonly [Library, SmallMapParts]> {
  const states = request<FeatureCollection>('GET', '/v1/places/states.geojson')
  const [loaded, borders] = await Promise.all([library, states])
  return [loaded, { states: borders, workerUrl: new URL(workerUrl, location.href).href }]
}
