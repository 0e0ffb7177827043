import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import { suggestNames } from '../lib/similar-names.ts'
import { type LgaRecord, lgaRecords, MEAN_KM_PER_DEGREE, type StateRecord, stateRecords } from './data.ts'
import { nameDistance, nameKey, sounded } from './names.ts'

/** Some of them may be spellings of one place, or outside the given states. */
const MAX_SIMILAR_KEYS = 24

/** Names and codes precede aliases: "Ado" is in Benue, though also an alias of Ado-Ekiti. */
class PlaceIndex<Place> {
  readonly #names = new Map<string, Place[]>()
  readonly #aliases = new Map<string, Place[]>()
  /** Names and aliases; listed when a name is first unknown. */
  #keys: readonly string[] | null = null

  addName(text: string, place: Place): void {
    add(this.#names, nameKey(text), place)
  }

  addAlias(text: string, place: Place): void {
    add(this.#aliases, nameKey(text), place)
  }

  find(text: string, within: (place: Place) => boolean): { inside: readonly Place[]; anywhere: readonly Place[] } {
    const key = nameKey(text)
    const named = this.#names.get(key) ?? []
    const byAlias = this.#aliases.get(key) ?? []
    const inside = named.filter(within)
    if (inside.length > 0) return { inside, anywhere: named }
    return { inside: byAlias.filter(within), anywhere: named.length > 0 ? named : byAlias }
  }

  suggest(text: string, within: (place: Place) => boolean, labelOf: (place: Place) => string): string[] {
    this.#keys ??= [...new Set([...this.#names.keys(), ...this.#aliases.keys()])]
    const labelled = (key: string): string[] => {
      const place = this.#names.get(key)?.find(within) ?? this.#aliases.get(key)?.find(within)
      return place ? [labelOf(place)] : []
    }
    // Several spellings of one place may be similar; suggest three places, not three spellings.
    return [...new Set(suggestNames(nameKey(text), this.#keys, MAX_SIMILAR_KEYS).flatMap(labelled))].slice(0, 3)
  }
}

function add<Place>(index: Map<string, Place[]>, key: string, place: Place): void {
  const same = index.get(key)
  if (!same) index.set(key, [place])
  else if (!same.includes(place)) same.push(place)
}

const everywhere = (): boolean => true

function buildPlaces(stateList: readonly StateRecord[], lgaList: readonly LgaRecord[]): Places {
  const states = stateList.map(({ code, name }): State => ({ code, name }))
  const byCode = new Map(states.map((state) => [state.code, state]))
  const stateIndex = new PlaceIndex<State>()
  for (const { code, name, aliases } of stateList) {
    const state = byCode.get(code)!
    stateIndex.addName(name, state)
    stateIndex.addName(code, state)
    for (const alias of [...aliases, code.slice(3)]) stateIndex.addAlias(alias, state)
  }

  const lgaIndex = new PlaceIndex<Lga>()
  const lgas = lgaList.map((record): Lga => {
    const { code, name, lat, lng } = record
    const lga = { code, name, state: byCode.get(record.state)!, lat, lng }
    lgaIndex.addName(name, lga)
    lgaIndex.addName(code, lga)
    for (const alias of record.aliases) lgaIndex.addAlias(alias, lga)
    return lga
  })

  return {
    states,
    lgas,
    findState(name) {
      const { inside } = stateIndex.find(name, everywhere)
      if (inside.length > 0) return lookupOf(inside)
      return unknownName(() => stateIndex.suggest(name, everywhere, (state) => state.name))
    },
    findLga(name, stateCodes) {
      const within = stateCodes ? (lga: Lga): boolean => stateCodes.includes(lga.state.code) : everywhere
      const { inside, anywhere } = lgaIndex.find(name, within)
      if (inside.length > 0) return lookupOf(inside)
      if (anywhere.length > 0) return { kind: 'elsewhere', places: anywhere }
      return unknownName(() => lgaIndex.suggest(name, within, (lga) => lga.name))
    },
  }
}

function lookupOf<Place>(places: readonly Place[]): PlaceLookup<Place> {
  return places.length === 1 ? { kind: 'found', place: places[0]! } : { kind: 'ambiguous', places }
}

/** A getter: suggestions compare the text with every name, and most callers do not read them. */
function unknownName(suggest: () => string[]): PlaceLookup<never> {
  return {
    kind: 'unknown',
    get suggestions() {
      return suggest()
    },
  }
}

/** Nigeria's 37 states and 774 LGAs. */
export const places: Places = buildPlaces(stateRecords, lgaRecords)

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
