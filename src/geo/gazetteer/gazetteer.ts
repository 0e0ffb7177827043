import type { PlaceKind } from '../../domain/found-place.ts'
import type { Lga, State } from '../../domain/places.ts'
import { distanceKm } from '../../lib/geometry/geometry.ts'
import { nameKey } from '../name-key.ts'
import { nameDistance, type SoundedName, sounded } from './similar-names.ts'

export interface GazetteerPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly state: State
  readonly lga: Lga | null
  /** 0 where unknown. */
  readonly population: number
  readonly kind: PlaceKind
  /** In a list of well-known places: its name needs no confirmation. */
  readonly notable?: true
  /** For what is larger than a point: a forest, a lake. */
  readonly radiusKm?: number
}

export interface NamedPlace extends GazetteerPlace {
  /** Old names and other spellings. */
  readonly others: readonly string[]
}

/** Names of places with their points; the keys are those of `nameKey`. */
export interface Gazetteer {
  readonly size: number
  named(key: string): readonly GazetteerPlace[]
  /** By an old name or another spelling: Suleja was called Abuja. */
  alsoCalled(key: string): readonly GazetteerPlace[]
  /** Places of these states with a similar name, the most similar only; all states where null. */
  similar(key: string, states: ReadonlySet<State> | null): readonly GazetteerPlace[]
}

/** Two entries of one name within this distance are one place in two sources. */
const SAME_PLACE_KM = 8

const none: readonly GazetteerPlace[] = []

/** Earlier places win over later ones of the same name nearby. */
export function gazetteerOf(places: Iterable<NamedPlace>): Gazetteer {
  const names = new Map<string, GazetteerPlace[]>()
  const others = new Map<string, GazetteerPlace[]>()
  let size = 0
  for (const place of places) {
    const key = nameKey(place.name)
    if (key === '' || !addPlace(names, key, place)) continue
    size++
    for (const other of place.others) {
      const otherKey = nameKey(other)
      if (otherKey !== '' && otherKey !== key) addPlace(others, otherKey, place)
    }
  }
  let byLetter: Map<string, SoundedPlace[]> | null = null
  return {
    size,
    named: (key) => names.get(key) ?? none,
    alsoCalled: (key) => others.get(key) ?? none,
    similar(key, states) {
      byLetter ??= indexByLetter([names, others])
      let least = Infinity
      let found: GazetteerPlace[] = []
      const buckets = states === null ? [''] : [...states].map(({ code }) => code)
      const name = sounded(key)
      for (const bucket of buckets) {
        for (const { name: other, place } of byLetter.get(bucket + key.slice(0, 1)) ?? []) {
          if (Math.abs(other.key.length - key.length) > 3) continue
          const distance = nameDistance(name, other)
          if (distance === null || distance > least) continue
          if (distance < least) found = []
          least = distance
          if (!found.includes(place)) found.push(place)
        }
      }
      return found
    },
  }
}

function addPlace(index: Map<string, GazetteerPlace[]>, key: string, place: GazetteerPlace): boolean {
  const same = index.get(key)
  if (!same) {
    index.set(key, [place])
    return true
  }
  if (same.some((each) => distanceKm(each.lat, each.lng, place.lat, place.lng) < SAME_PLACE_KM)) return false
  same.push(place)
  return true
}

interface SoundedPlace {
  readonly name: SoundedName
  readonly place: GazetteerPlace
}

/** By first letter, of one state and of all. */
function indexByLetter(indexes: readonly Map<string, GazetteerPlace[]>[]): Map<string, SoundedPlace[]> {
  const buckets = new Map<string, SoundedPlace[]>()
  for (const index of indexes) {
    for (const [key, places] of index) {
      const name = sounded(key)
      for (const place of places) {
        if (place.kind !== 'settlement') continue
        for (const bucket of [key.slice(0, 1), place.state.code + key.slice(0, 1)]) {
          const entries = buckets.get(bucket)
          if (entries) entries.push({ name, place })
          else buckets.set(bucket, [{ name, place }])
        }
      }
    }
  }
  return buckets
}
