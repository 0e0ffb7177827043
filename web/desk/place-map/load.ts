import type { FeatureCollection } from 'geojson'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { request } from '../../shared/parts/request.ts'
import type { createPlaceMap, PlaceMap } from './place-map.ts'

/** Loads the map library and the states' borders together. */
export async function loadPlaceMap(
  container: HTMLElement,
  handlers: Parameters<typeof createPlaceMap>[3],
): Promise<PlaceMap> {
  const states = request<FeatureCollection>('GET', '/v1/places/states.geojson')
  const { createPlaceMap } = await import('./place-map.ts')
  return createPlaceMap(container, await states, new URL(workerUrl, location.href).href, handlers)
}
