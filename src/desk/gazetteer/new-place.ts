import type { FieldError } from '../../domain/errors.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import type { PlaceKind, StoredPlace } from '../../domain/places.ts'
import { singleLine } from '../../domain/summary.ts'
import type { Locate } from '../../geo/geography.ts'
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
  const message = 'must have a letter or a digit of the Latin alphabet'
  const errors: FieldError[] = key === '' ? [{ pointer: '/name', message }] : []
  for (const [index, alias] of aliases.entries())
    if (nameKey(alias) === '') errors.push({ pointer: `/aliases/${index}`, message })
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
const MAX_ALIASES = 50

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
