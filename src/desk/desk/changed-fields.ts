import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../../domain/incident.ts'

/** Follow from other fields or change with every update; the history does not list them. */
const UNLISTED_FIELDS = new Set([
  'updated_at',
  'version',
  'category',
  'confidence_reasons',
  'lga',
  'lat',
  'lng',
  'state',
])

/** The names of the fields that a correction has changed, as the public history lists them. */
export function publicFields(before: Incident, after: Incident): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Incident)[]
  const placeChanged = (['lat', 'lng', 'state', 'lga'] as const).some((name) => before[name] !== after[name])
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const listed = changed.filter((name) => !UNLISTED_FIELDS.has(name))
  if (placeChanged && !listed.includes('location')) listed.push('location')
  // The reasons may change without their sum, as with another source of the same weight.
  if (changed.includes('confidence_reasons') && !listed.includes('confidence')) listed.push('confidence')
  return listed
}
