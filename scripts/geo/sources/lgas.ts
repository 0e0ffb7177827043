import type { LgaRecord, StateRecord } from '../../../src/geo/data.ts'
import { nameKey } from '../../../src/geo/names.ts'
import { LGA_ALIASES, STATE_ALIASES } from './aliases.ts'
import { CORRECTIONS, HEADQUARTERS } from './corrections.ts'
import type { KnownPlace } from './gazetteer.ts'

export interface SourceState {
  readonly isoCode: string
  readonly name: string
}

export interface SourceLga {
  readonly name: string
  /** ISO code of its state. */
  readonly state: string
  readonly lat: number
  readonly lng: number
  readonly box: readonly [number, number, number, number]
}

export function lgaCode(stateCode: string, name: string): string {
  return `${stateCode}-${name.toUpperCase().replace(/[^A-Z0-9]+/g, '-')}`
}

export function stateRecords(states: readonly SourceState[]): StateRecord[] {
  return states
    .map(({ isoCode, name }) => ({ code: isoCode, name, aliases: [...(STATE_ALIASES[isoCode] ?? [])] }))
    .sort((one, other) => (one.code < other.code ? -1 : 1))
}

export interface NamedLga {
  readonly code: string
  readonly name: string
  readonly state: string
  readonly aliases: readonly string[]
  readonly source: SourceLga
  readonly misplaced: boolean
}

/**
 * Corrects the package's names. Throws for a correction that applies to nothing, so that none is
 * outdated.
 */
export function nameLgas(lgas: readonly SourceLga[]): NamedLga[] {
  const unused = new Set(CORRECTIONS)
  const named = lgas.map((source): NamedLga => {
    const { state } = source
    const correction = CORRECTIONS.find((each) => each.state === state && each.package === source.name)
    if (correction) unused.delete(correction)
    const name = correction?.name ?? source.name
    const code = lgaCode(state, name)
    return {
      code,
      name,
      state,
      aliases: aliasesOf(code, name, correction?.misplaced ? name : source.name),
      source,
      misplaced: correction?.misplaced ?? false,
    }
  })
  if (unused.size > 0)
    throw new Error(`corrections that apply to nothing: ${[...unused].map((each) => each.package).join(', ')}`)
  const codes = new Set(named.map(({ code }) => code))
  const strays = Object.keys(LGA_ALIASES).filter((code) => !codes.has(code))
  if (strays.length > 0) throw new Error(`aliases of unknown LGAs: ${strays.join(', ')}`)
  return named.sort((one, other) => (one.code < other.code ? -1 : 1))
}

export function lgaRecords(lgas: readonly NamedLga[], knownPlaces: readonly KnownPlace[]): LgaRecord[] {
  return lgas.map(({ code, name, state, aliases, source, misplaced }) => {
    const { lat, lng } = misplaced ? headquartersOf(code, knownPlaces) : source
    return { code, name, state, lat: round(lat), lng: round(lng), box: misplaced ? null : source.box, aliases }
  })
}

function headquartersOf(code: string, knownPlaces: readonly KnownPlace[]): { lat: number; lng: number } {
  const known = HEADQUARTERS[code]
  if (known) return known
  const own = knownPlaces.filter((anchor) => anchor.lga === code)
  if (own.length === 0) throw new Error(`${code} has neither headquarters nor a known place`)
  return {
    lat: own.reduce((sum, anchor) => sum + anchor.lat, 0) / own.length,
    lng: own.reduce((sum, anchor) => sum + anchor.lng, 0) / own.length,
  }
}

const DIRECTIONS: readonly (readonly [RegExp, string])[] = [
  [/ North[ -]East$/, ' NE'],
  [/ North[ -]West$/, ' NW'],
  [/ South[ -]East$/, ' SE'],
  [/ South[ -]West$/, ' SW'],
]

function aliasesOf(code: string, name: string, packageName: string): string[] {
  const short = DIRECTIONS.flatMap(([pattern, letters]) => (pattern.test(name) ? [name.replace(pattern, letters)] : []))
  const parts = name.includes('/') ? name.split('/') : []
  const all = [packageName, ...(LGA_ALIASES[code] ?? []), ...parts, ...short]
  const keys = new Set([nameKey(name)])
  return all.filter((alias) => {
    const fresh = !keys.has(nameKey(alias))
    keys.add(nameKey(alias))
    return fresh
  })
}

export function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
