import type { State } from '../../domain/places.ts'
import { nameKey } from '../name-key.ts'
import type { Gazetteer, GazetteerPlace, NamedPlace } from './gazetteer.ts'
import { type Entry, isSamePlace, mergedPlaces } from './merge-places.ts'
import { SimilarKeys } from './similar-keys.ts'

interface Bucket {
  readonly entries: Entry[]
  /** What the entries are after merging; worked out when it is first asked for. */
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
