import { type FieldError, invalidParameters } from '../../domain/errors.ts'
import type { PlaceScope } from '../../geo/finding/place-candidate.ts'
import { parseNumber } from './parameters.ts'

const MAX_SEARCH_LENGTH = 200

export function parseSearch(text: string | null): string {
  if (text !== null && text.length <= MAX_SEARCH_LENGTH) return text
  const message =
    text === null ? 'is missing: give the name of a place' : `may have up to ${MAX_SEARCH_LENGTH} characters`
  throw invalidParameters([{ parameter: 'q', message }])
}

export function parseArea(states: readonly string[] | null, lgas: readonly string[] | null): PlaceScope {
  const errors: FieldError[] = []
  for (const [parameter, codes] of [
    ['state', states],
    ['lga', lgas],
  ] as const) {
    if (codes && codes.length > 1) errors.push({ parameter, message: 'takes one value here, not a list' })
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return { ...(states?.[0] ? { state: states[0] } : {}), ...(lgas?.[0] ? { lga: lgas[0] } : {}) }
}

export function parsePoint(latText: string | null, lngText: string | null): [number, number] {
  const errors: FieldError[] = []
  const lat = parseNumber('lat', latText, 90, errors)
  const lng = parseNumber('lng', lngText, 180, errors)
  if (lat === null || lng === null) throw invalidParameters(errors)
  return [lat, lng]
}
