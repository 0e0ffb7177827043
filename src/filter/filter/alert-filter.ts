import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { isOneOf } from '../parameter-values.ts'
import { canonicalObject } from './canonical.ts'
import type { LiveFilter } from './filter.ts'
import type { Parsed } from './parse.ts'
import { parseWatchFilter } from './watch-filter.ts'

/** The members that say where; one of them must be given. */
const AREA_NAMES = ['state', 'lga', 'near', 'bbox', 'polygon', 'route'] as const
export const ALERT_FILTER_NAMES = [
  ...AREA_NAMES,
  'incident',
  'radius_km',
  'type',
  'category',
  'severity',
  'min_severity',
] as const

/** Everybody may have some: a shape must not cost each event as much as that of an account. */
const MAX_TEXT_LENGTH = 4000

/**
 * The filter of an alert without an account: that of a watch, but only where, what and how severe,
 * or the one incident to follow.
 */
export function parseAlertFilter(given: unknown, pointer: string, places: Places): Parsed<LiveFilter> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { errors: [{ pointer, message: 'must be an object that says where, such as {"state": ["Kaduna"]}' }] }
  const unknown = Object.keys(given).filter((name) => !isOneOf(ALERT_FILTER_NAMES, name))
  const errors: FieldError[] = unknown
    .slice(0, 10)
    .map((name) => ({ pointer: `${pointer}/${name.slice(0, 100)}`, message: NOT_HERE }))
  if (errors.length > 0) return { errors }
  const isFollowing = 'incident' in given
  if (isFollowing && Object.keys(given).length > 1)
    return { errors: [{ pointer: `${pointer}/incident`, message: 'stands alone in an alert; leave the rest out' }] }
  if (!isFollowing && !AREA_NAMES.some((name) => name in given))
    return { errors: [{ pointer, message: `must say where: one of ${AREA_NAMES.join(', ')}; or which incident` }] }
  const parsed = parseWatchFilter(given, pointer, places)
  if ('errors' in parsed) return parsed
  if ((parsed.value.incidents?.length ?? 0) > 1)
    return { errors: [{ pointer: `${pointer}/incident`, message: 'must be one incident: ask once for each' }] }
  if (!isFollowing && !isSomewhere(parsed.value))
    return { errors: [{ pointer, message: 'must not be all of Nigeria' }] }
  if (JSON.stringify(canonicalObject(parsed.value)).length > MAX_TEXT_LENGTH)
    return { errors: [{ pointer, message: 'has too many positions or places for an alert: about 100 fit' }] }
  return parsed
}

const NOT_HERE = `is not a filter of alerts; known are ${ALERT_FILTER_NAMES.join(', ')}`

/** A list of all states is no restriction. */
function isSomewhere({ states, lgas, box, circle, region, route }: LiveFilter): boolean {
  return [states, lgas, box, circle, region, route].some((part) => part !== null)
}
