import { createHash } from 'node:crypto'
import type { FieldError } from '../../domain/errors.ts'
import { derivedIdentifier, newIdentifier } from '../../domain/identifier.ts'
import type { PlaceKind, PlaceSource, StoredPlace } from '../../domain/places.ts'
import { singleLine } from '../../domain/summary.ts'
import type { Locate } from '../../geo/locate.ts'
import { nameKey } from '../../geo/names.ts'

export interface PlaceInput {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly kind?: PlaceKind
  readonly lat: number
  readonly lng: number
  readonly population?: number | null
  readonly radius_km?: number | null
}

/** A place of the desk, or what is wrong with it. */
export function newPlace(
  input: PlaceInput,
  locate: Locate,
  now: number,
  randomBytes: (size: number) => Uint8Array,
): StoredPlace | readonly FieldError[] {
  const name = singleLine(input.name)
  const key = nameKey(name)
  const aliases = (input.aliases ?? []).map(singleLine)
  const errors: FieldError[] = []
  if (key === '') errors.push({ pointer: '/name', message: 'must have a letter or a digit of the Latin alphabet' })
  for (const [index, alias] of aliases.entries()) {
    if (nameKey(alias) === '')
      errors.push({ pointer: `/aliases/${index}`, message: 'must have a letter or a digit of the Latin alphabet' })
  }
  const located = locate(input.lat, input.lng)
  if (located.kind !== 'located') errors.push({ pointer: '/lat', message: located.message })
  if (errors.length > 0) return errors
  return {
    id: newIdentifier('place', now, randomBytes),
    source: 'desk',
    sourceId: null,
    name,
    key,
    aliases: usableAliases(name, aliases),
    kind: input.kind ?? 'settlement',
    lat: input.lat,
    lng: input.lng,
    population: input.population ?? 0,
    radiusKm: input.radius_km ?? null,
    updatedAt: now,
  }
}

export const MAX_NAME_LENGTH = 120
export const MAX_ALIASES = 50

/** A row of a file that is a place. */
export interface ParsedPlace {
  readonly kind: 'place'
  readonly sourceId: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly placeKind: PlaceKind
  readonly lat: number
  readonly lng: number
  readonly population: number
  readonly radiusKm: number | null
}

/** Why a row is left out, though nothing is wrong with it. */
export const LEFT_OUT = {
  kind: 'of a kind that is not kept',
  unnamed: 'without a name in Latin letters',
  outside: 'outside Nigeria',
  geometry: 'without a geometry',
} as const
export type LeftOutReason = keyof typeof LEFT_OUT

export interface LeftOut {
  readonly kind: 'left_out'
  readonly reason: LeftOutReason
}

export interface Fault {
  readonly kind: 'rejected'
  readonly reason: string
}

export type ParsedPlaceRow = ParsedPlace | LeftOut | Fault

export const leftOut = (reason: LeftOutReason): LeftOut => ({ kind: 'left_out', reason })
export const fault = (reason: string): Fault => ({ kind: 'rejected', reason })

/** Aliases in Latin letters, each once, without the name itself. */
export function usableAliases(name: string, others: Iterable<string>): string[] {
  const keys = new Set([nameKey(name)])
  const found: string[] = []
  for (const other of others) {
    const text = other.trim()
    const key = nameKey(text)
    if (key === '' || keys.has(key) || text.length > MAX_NAME_LENGTH || found.length >= MAX_ALIASES) continue
    keys.add(key)
    found.push(text)
  }
  return found
}

/** A number of people as sources write it; 0 where it says nothing. */
export function readPopulation(text: unknown): number {
  const count = Number(String(text ?? '').replaceAll(/[,\s]/g, ''))
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** What is wrong with a point; null if nothing is. */
export function pointFault(lat: number, lng: number): string | null {
  if (!Number.isFinite(lat) || Math.abs(lat) > 90) return 'the latitude is not a number from -90 to 90'
  if (!Number.isFinite(lng) || Math.abs(lng) > 180) return 'the longitude is not a number from -180 to 180'
  return null
}

/** Identifies a place to which its source gives no id. */
export function placeIdentity(kind: PlaceKind, name: string, lat: number, lng: number): string {
  const place = `${kind} ${nameKey(name)} ${lat.toFixed(4)} ${lng.toFixed(4)}`
  return createHash('sha256').update(place).digest('hex').slice(0, 24)
}

/** The same place of a source has the same id in every import. */
export function storedPlace(source: PlaceSource, place: ParsedPlace, now: number): StoredPlace {
  const { sourceId, name, aliases, placeKind, lat, lng, population, radiusKm } = place
  const id = derivedIdentifier('place', createHash('sha256').update(`${source}:${sourceId}`).digest())
  const key = nameKey(name)
  return { id, source, sourceId, name, key, aliases, kind: placeKind, lat, lng, population, radiusKm, updatedAt: now }
}
