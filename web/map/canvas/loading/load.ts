import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { api } from '../../api.ts'
import type { Boundaries } from '../style/labels.ts'

/**
 * Loads everything that the map needs in parallel; one after the other, a slow connection would
 * wait four times. Returns the function that removes the map.
 */
export async function loadMap(container: HTMLElement): Promise<() => void> {
  const states = api.getJson<Boundaries>('/v1/places/states.geojson', null)
  // Fills the browser's cache before MapLibre starts its worker, which reports any failure.
  fetch(workerUrl).catch(() => {})
  const { startMap } = await import('../start.ts')
  return startMap(container, await states, new URL(workerUrl, location.href).href)
}
