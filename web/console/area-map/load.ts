import type { FeatureCollection } from 'geojson'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { request } from '../../shared/parts/request.ts'
import type { AreaMap } from './area-map.ts'

/** Loads the map library and the states' borders together. */
export async function loadAreaMap(container: HTMLElement): Promise<AreaMap> {
  const states = request<FeatureCollection>('GET', '/v1/places/states.geojson')
  const { createAreaMap } = await import('./area-map.ts')
  return createAreaMap(container, await states, new URL(workerUrl, location.href).href)
}
