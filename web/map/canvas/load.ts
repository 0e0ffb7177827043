import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { ask } from '../api.ts'
import type { Areas } from './style/labels.ts'

/** Asks for all that the map needs at once: one after the other, a slow line would be waited for four times. */
export async function loadMap(place: HTMLElement): Promise<() => void> {
  const states = ask<Areas>('/v1/places/states.geojson', null)
  // Only so that it lies in the browser's cache when the library starts its worker; what fails here will be told there.
  fetch(workerUrl).catch(() => {})
  const { startMap } = await import('./start.ts')
  return startMap(place, await states, new URL(workerUrl, location.href).href)
}
