import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import { suggestNames } from '../lib/text/suggest.ts'
import { type LgaRecord, lgaRecords, type StateRecord, stateRecords } from './data.ts'
import { nameKey } from './name-key.ts'

/** Names and codes come before aliases: "Ado" is Benue's, though Ado-Ekiti is called so too. */
class Index<Place> {
  readonly #names = new Map<string, Place[]>()
  readonly #aliases = new Map<string, Place[]>()

  name(text: string, place: Place): void {
    add(this.#names, nameKey(text), place)
  }

  alias(text: string, place: Place): void {
    add(this.#aliases, nameKey(text), place)
  }

  find(text: string, within: (place: Place) => boolean): { inside: readonly Place[]; anywhere: readonly Place[] } {
    const key = nameKey(text)
    const named = this.#names.get(key) ?? []
    const called = this.#aliases.get(key) ?? []
    const inside = named.filter(within)
    if (inside.length > 0) return { inside, anywhere: named }
    return { inside: called.filter(within), anywhere: named.length > 0 ? named : called }
  }

  near(text: string, within: (place: Place) => boolean, called: (place: Place) => string): string[] {
    const byKey = new Map<string, string>()
    for (const index of [this.#aliases, this.#names]) {
      for (const [key, places] of index) {
        const place = places.find(within)
        if (place) byKey.set(key, called(place))
      }
    }
    // Several spellings of one place may be near; three places are wanted, not three spellings.
    const keys = suggestNames(nameKey(text), byKey.keys(), 12)
    return [...new Set(keys.map((key) => byKey.get(key)!))].slice(0, 3)
  }
}

function add<Place>(index: Map<string, Place[]>, key: string, place: Place): void {
  const same = index.get(key)
  if (!same) index.set(key, [place])
  else if (!same.includes(place)) same.push(place)
}

const everywhere = (): boolean => true

function openPlaces(stateList: readonly StateRecord[], lgaList: readonly LgaRecord[]): Places {
  const states = stateList.map(({ code, name }): State => ({ code, name }))
  const byCode = new Map(states.map((state) => [state.code, state]))
  const stateIndex = new Index<State>()
  for (const { code, name, aliases } of stateList) {
    const state = byCode.get(code)!
    stateIndex.name(name, state)
    stateIndex.name(code, state)
    for (const alias of [...aliases, code.slice(3)]) stateIndex.alias(alias, state)
  }

  const lgaIndex = new Index<Lga>()
  const lgas = lgaList.map((record): Lga => {
    const { code, name, lat, lng } = record
    const lga = { code, name, state: byCode.get(record.state)!, lat, lng }
    lgaIndex.name(name, lga)
    lgaIndex.name(code, lga)
    for (const alias of record.aliases) lgaIndex.alias(alias, lga)
    return lga
  })

  return {
    states,
    lgas,
    findState(name) {
      const { inside } = stateIndex.find(name, everywhere)
      if (inside.length > 0) return one(inside)
      return unknown(() => stateIndex.near(name, everywhere, (state) => state.name))
    },
    findLga(name, stateCodes) {
      const within = stateCodes ? (lga: Lga): boolean => stateCodes.includes(lga.state.code) : everywhere
      const { inside, anywhere } = lgaIndex.find(name, within)
      if (inside.length > 0) return one(inside)
      if (anywhere.length > 0) return { kind: 'elsewhere', places: anywhere }
      return unknown(() => lgaIndex.near(name, within, (lga) => lga.name))
    },
  }
}

function one<Place>(places: readonly Place[]): PlaceLookup<Place> {
  return places.length === 1 ? { kind: 'found', place: places[0]! } : { kind: 'ambiguous', places }
}

/** Suggesting compares with every name there is: only done for who looks at the suggestions. */
function unknown(suggest: () => string[]): PlaceLookup<never> {
  return {
    kind: 'unknown',
    get suggestions() {
      return suggest()
    },
  }
}

/** Nigeria's 37 states and 774 LGAs. */
export const places: Places = openPlaces(stateRecords, lgaRecords)
