import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { wantMap } from './loading/wanted.ts'

// The page's requests to the map. They are stores, so that the page can make a request before
// MapLibre has been loaded and without importing it.

interface FlyTarget {
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
}

export const flyTarget = createStore<FlyTarget | null>(null)

export function flyTo(lat: number, lng: number, radiusKm: number): void {
  wantMap()
  flyTarget.set({ lat, lng, radiusKm })
}

/** The incident of the list row under the pointer or with the focus. */
export const hoveredPoint = createStore<Pick<Incident, 'lat' | 'lng' | 'location'> | null>(null)

type DrawnPoints = readonly (readonly [number, number])[] | null

/** The road that is being drawn: its points so far, longitude first; null if none is. */
export const drawnRoad = createStore<DrawnPoints>(null)

/** The area that is being drawn: its corners so far, longitude first; null if none is. */
export const drawnArea = createStore<DrawnPoints>(null)

/** While something is drawn, a click adds a point and does nothing else. */
export function isDrawing(): boolean {
  return drawnRoad.get() !== null || drawnArea.get() !== null
}

/** Levels to zoom in, or out if negative. */
export const zoomRequest = createStore<{ readonly levels: number }>({ levels: 0 })

export function zoomBy(levels: number): void {
  wantMap()
  zoomRequest.set({ levels })
}

/** Event data of a movement that a person requested; its camera goes into the address. */
export const USER_MOVE = { userMove: true }

/** Whether the marks on the map are those of the current question; `none` before there is a map. */
export const mapTiles = createStore<'none' | 'loading' | 'loaded' | 'failed'>('none')
