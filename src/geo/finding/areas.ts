import type { Lga, State } from '../../domain/places.ts'
import { lgaRecords, MEAN_KM_PER_DEGREE } from '../data.ts'
import { nameDistance, nameKey, sounded } from '../names.ts'
import { places } from '../places.ts'

const radii = new Map(
  lgaRecords.map(({ code, box }) => [
    code,
    box ? Math.max(2, Math.round((Math.sqrt((box[2] - box[0]) * (box[3] - box[1])) * MEAN_KM_PER_DEGREE) / 2)) : 15,
  ]),
)
const middles = new Map<State, { readonly lat: number; readonly lng: number; readonly radiusKm: number }>()

export function lgaRadiusKm(lga: Lga): number {
  return radii.get(lga.code)!
}

/** The LGA in the middle of a state stands for it: the mean of all may lie outside. */
export function stateMiddle(state: State): { readonly lat: number; readonly lng: number; readonly radiusKm: number } {
  const known = middles.get(state)
  if (known) return known
  const inside = places.lgas.filter((lga) => lga.state === state)
  const lat = inside.reduce((sum, lga) => sum + lga.lat, 0) / inside.length
  const lng = inside.reduce((sum, lga) => sum + lga.lng, 0) / inside.length
  const distanceTo = (lga: Lga): number => Math.hypot(lga.lat - lat, lga.lng - lng)
  const middle = inside.reduce((one, other) => (distanceTo(one) <= distanceTo(other) ? one : other))
  const radiusKm = Math.round(Math.max(...inside.map(distanceTo)) * MEAN_KM_PER_DEGREE)
  const found = { lat: middle.lat, lng: middle.lng, radiusKm }
  middles.set(state, found)
  return found
}

export function stateNamed(name: string): State | null {
  return lookUp(stateCache, name, () => {
    const found = places.findState(name)
    return found.kind === 'found' ? found.place : null
  })
}

export function lgasNamed(name: string): readonly Lga[] {
  return lookUp(lgaCache, name, () => {
    const found = places.findLga(name, null)
    return found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.places : []
  })
}

const soundedLgas = places.lgas.map((lga) => ({ lga, other: sounded(nameKey(lga.name)) }))

/** LGAs with the most similar name, in the named states or else the likely ones. */
export function lgasLike(key: string, states: ReadonlySet<State>, likely: ReadonlySet<State>): Lga[] {
  const within = states.size > 0 ? states : likely
  const name = sounded(key)
  let least = Infinity
  let found: Lga[] = []
  for (const { lga, other } of soundedLgas) {
    if (within.size > 0 && !within.has(lga.state)) continue
    const distance = nameDistance(name, other)
    if (distance === null || distance > least) continue
    found = distance < least ? [lga] : [...found, lga]
    least = distance
  }
  return found
}

/** A story asks for each of its words, most of them again and again. */
const MAX_CACHED = 20_000
const stateCache = new Map<string, State | null>()
const lgaCache = new Map<string, readonly Lga[]>()

function lookUp<Found>(cache: Map<string, Found>, name: string, find: () => Found): Found {
  const known = cache.get(name)
  if (known !== undefined) return known
  if (cache.size >= MAX_CACHED) cache.clear()
  const found = find()
  cache.set(name, found)
  return found
}
