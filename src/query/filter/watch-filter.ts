import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { isOneOf } from '../parameter-values.ts'
import { type LiveFilter, NO_TIME } from './filter.ts'
import { parseFilterObject } from './filter-object.ts'
import { FILTER_PARAMETER_NAMES } from './parameters.ts'
import type { Parsed } from './parse.ts'

export const TIME_PARAMETERS = ['since', 'from', 'to', 'occurred_from', 'occurred_to'] as const

/** The parameters of a `LiveFilter`: all but the times. */
export const LIVE_PARAMETER_NAMES = FILTER_PARAMETER_NAMES.filter((name) => !isOneOf(TIME_PARAMETERS, name))

/** Parses a watch's filter, a JSON object at `pointer` in the body, or returns every error. */
export function parseWatchFilter(object: unknown, pointer: string, places: Places): Parsed<LiveFilter> {
  const { times, rest } = splitTimes(object)
  const { filter } = parseFilterObject(rest, pointer, places, LIVE_PARAMETER_NAMES)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  for (const name of times) errors.push({ pointer: `${pointer}/${name}`, message: WITHOUT_TIME })
  if ('errors' in filter || errors.length > 0) return { errors }
  return { value: { ...filter.value, ...NO_TIME } }
}

const WITHOUT_TIME = 'is not allowed here: a watch receives only incidents published from now on; leave it out'

/** Separates the times, which a list takes, for a more helpful error. */
function splitTimes(object: unknown): { times: readonly string[]; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { times: [], rest: object }
  const isTime = (name: string) => isOneOf(TIME_PARAMETERS, name)
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !isTime(name)))
  return { times: Object.keys(object).filter(isTime), rest }
}
