import type { Lga, PlaceKind, State } from '../domain/places.ts'
import { distanceKm } from '../lib/geometry.ts'
import { nameDistance, nameKey, type SoundedName, sounded } from './names.ts'

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

/**
 * The usual extent of what is larger than a point, where its source does not say; null by
 * population.
 */
export const USUAL_RADIUS_KM: Readonly<Record<PlaceKind, number | null>> = {
  settlement: null,
  forest: 15,
  river: 40,
  lake: 15,
  mountain: 10,
  market: 2,
  camp: 2,
  road: 30,
}

/** These are as precise as a settlement. */
export const POINT_KINDS: ReadonlySet<PlaceKind> = new Set(['settlement', 'market', 'camp'])

interface Bucket {
  readonly entries: Entry[]
  /** The entries after merging; worked out when it is first asked for. */
  visible: readonly GazetteerPlace[] | null
}

/** The desk corrects what is built in; an import adds to it. */
export const RANKS = { desk: 0, builtIn: 1, imported: 2 } as const

const none: readonly GazetteerPlace[] = []

/** A gazetteer whose places can be added and removed one by one, so that no change takes long. */
export class LiveGazetteer implements Gazetteer {
  readonly #names = new Map<string, Bucket>()
  readonly #aliases = new Map<string, Bucket>()
  readonly #byId = new Map<string, Entry>()
  readonly #similar = new SimilarKeys()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Replaces the place of the same id. Of two entries for one place, the lower rank counts. */
  add(place: NamedPlace, rank = 0, id: string | null = null, key = nameKey(place.name)): void {
    if (key === '') return
    if (id !== null) this.remove(id)
    const aliases = [...new Set(place.others.map(nameKey))].filter((other) => other !== '' && other !== key)
    const { others: _, ...rest } = place
    const entry = { place: rest, rank, key, aliases }
    this.#size++
    if (id !== null) this.#byId.set(id, entry)
    addTo(this.#names, key, entry)
    for (const alias of aliases) addTo(this.#aliases, alias, entry)
    if (place.kind === 'settlement') for (const each of [key, ...aliases]) this.#similar.add(each, place.state)
    this.#forgetMerged(key)
  }

  remove(id: string): void {
    const entry = this.#byId.get(id)
    if (!entry) return
    this.#byId.delete(id)
    this.#size--
    const { key, aliases, place } = entry
    this.#forgetMerged(key)
    removeFrom(this.#names, key, entry)
    for (const alias of aliases) removeFrom(this.#aliases, alias, entry)
    if (place.kind === 'settlement') for (const each of [key, ...aliases]) this.#similar.remove(each, place.state)
  }

  named(key: string): readonly GazetteerPlace[] {
    const bucket = this.#names.get(key)
    if (!bucket) return none
    bucket.visible ??= mergedPlaces(bucket.entries)
    return bucket.visible
  }

  alsoCalled(key: string): readonly GazetteerPlace[] {
    const bucket = this.#aliases.get(key)
    if (!bucket) return none
    bucket.visible ??= [
      ...new Set(
        bucket.entries.map((entry) => this.named(entry.key).find((place) => isSamePlace(place, entry.place))!),
      ),
    ]
    return bucket.visible
  }

  similar(key: string, states: ReadonlySet<State> | null): readonly GazetteerPlace[] {
    const found = new Set<GazetteerPlace>()
    for (const similar of this.#similar.mostSimilar(key, states)) {
      for (const place of [...this.named(similar), ...this.alsoCalled(similar)]) {
        if (place.kind === 'settlement' && (states === null || states.has(place.state))) found.add(place)
      }
    }
    return [...found]
  }

  /** The entries of one name are merged again, and their aliases point to what results. */
  #forgetMerged(key: string): void {
    const bucket = this.#names.get(key)
    if (!bucket) return
    bucket.visible = null
    for (const { aliases } of bucket.entries) for (const alias of aliases) this.#aliases.get(alias)!.visible = null
  }
}

/** Earlier places win over later ones of the same name nearby. */
export function gazetteerOf(places: Iterable<NamedPlace>): Gazetteer {
  const gazetteer = new LiveGazetteer()
  for (const place of places) gazetteer.add(place)
  return gazetteer
}

function addTo(index: Map<string, Bucket>, key: string, entry: Entry): void {
  const bucket = index.get(key)
  if (!bucket) {
    index.set(key, { entries: [entry], visible: null })
    return
  }
  bucket.entries.push(entry)
  bucket.visible = null
}

function removeFrom(index: Map<string, Bucket>, key: string, entry: Entry): void {
  const bucket = index.get(key)!
  bucket.entries.splice(bucket.entries.indexOf(entry), 1)
  bucket.visible = null
  if (bucket.entries.length === 0) index.delete(key)
}

/** A place of one source, with its keys. */
export interface Entry {
  readonly place: GazetteerPlace
  /** Of two entries for one place, the lower counts. */
  readonly rank: number
  readonly key: string
  readonly aliases: readonly string[]
}

/** Two entries of one name and kind within this distance are one place in two sources. */
const SAME_PLACE_KM = 8

export function isSamePlace(one: GazetteerPlace, other: GazetteerPlace): boolean {
  return one.kind === other.kind && distanceKm(one.lat, one.lng, other.lat, other.lng) < SAME_PLACE_KM
}

/**
 * One place for the entries of one name that lie together: the first's point, the largest
 * population.
 */
export function mergedPlaces(entries: readonly Entry[]): GazetteerPlace[] {
  const merged: GazetteerPlace[] = []
  for (const { place } of entries.toSorted((one, other) => one.rank - other.rank)) {
    const at = merged.findIndex((each) => isSamePlace(each, place))
    if (at === -1) merged.push(place)
    else merged[at] = withMore(merged[at]!, place)
  }
  return merged
}

function withMore(first: GazetteerPlace, other: GazetteerPlace): GazetteerPlace {
  const population = Math.max(first.population, other.population)
  if (population === first.population && (first.notable || !other.notable)) return first
  return { ...first, population, ...(first.notable || other.notable ? { notable: true } : {}) }
}

interface Known {
  /** Of places that have the key. */
  count: number
  /** Worked out when it is first compared: most are never. */
  name: SoundedName | null
}

const MAX_LENGTH_DIFFERENCE = 3

/** Keys by state and first letter: a search compares only those. */
export class SimilarKeys {
  readonly #byState = new Map<string, Map<string, Known>>()
  readonly #states = new Set<string>()

  add(key: string, state: State): void {
    const bucket = state.code + key.slice(0, 1)
    this.#states.add(state.code)
    const keys = this.#byState.get(bucket) ?? new Map<string, Known>()
    this.#byState.set(bucket, keys)
    const known = keys.get(key)
    if (known) known.count++
    else keys.set(key, { count: 1, name: null })
  }

  remove(key: string, state: State): void {
    const keys = this.#byState.get(state.code + key.slice(0, 1))!
    const known = keys.get(key)!
    if (--known.count === 0) keys.delete(key)
  }

  /** The keys of these states that are most similar, and equally so; of all states where null. */
  mostSimilar(key: string, states: ReadonlySet<State> | null): Set<string> {
    let least = Infinity
    let found = new Set<string>()
    const name = sounded(key)
    for (const code of states === null ? this.#states : Array.from(states, (state) => state.code)) {
      for (const [other, known] of this.#byState.get(code + key.slice(0, 1)) ?? []) {
        if (Math.abs(other.length - key.length) > MAX_LENGTH_DIFFERENCE) continue
        known.name ??= sounded(other)
        const distance = nameDistance(name, known.name)
        if (distance === null || distance > least) continue
        if (distance < least) found = new Set()
        least = distance
        found.add(other)
      }
    }
    return found
  }
}
