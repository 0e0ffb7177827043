import { createStore } from '../../shared/store.ts'

/** What the rest of the page may ask of the map, before its library has come too. */
export interface Wish {
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
}

export const wish = createStore<Wish | null>(null)
/** The place that a pointer or the focus rests on in the list. */
export const pointedAt = createStore<{ readonly lat: number; readonly lng: number } | null>(null)

export function flyTo(lat: number, lng: number, radiusKm: number): void {
  wish.set({ lat, lng, radiusKm })
}

/** How far to zoom in, or out where it is negative. */
export const zoomWish = createStore<{ readonly by: number }>({ by: 0 })

export function zoomBy(by: number): void {
  zoomWish.set({ by })
}

/** Goes with a movement that a person has asked for: it then joins the address. */
export const BY_HAND = { byHand: true }
