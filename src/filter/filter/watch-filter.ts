import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { isOneOf } from '../parameter-values.ts'
import { type AreaShape, type LiveFilter, NOT_LIVE } from './filter.ts'
import { parseFilterObject } from './filter-object.ts'
import { FILTER_PARAMETER_NAMES, FILTER_PARAMETERS, INCIDENT_PARAMETER, type Parameter } from './parameters.ts'
import type { Parsed } from './parse.ts'
import { parseIncidents } from './parsers/incidents.ts'

export const TIME_PARAMETERS = ['since', 'from', 'to', 'occurred_from', 'occurred_to'] as const

const LIST_ONLY = [...TIME_PARAMETERS, 'q', 'dataset'] as const

/** The parameters of a `StreamFilter`: all but the times, the words and the data sets. */
export const LIVE_PARAMETER_NAMES = FILTER_PARAMETER_NAMES.filter((name) => !isOneOf(LIST_ONLY, name))

/** The parameters of a `LiveFilter`, which may also follow incidents. */
export const WATCH_FILTER_PARAMETERS: Readonly<Record<string, Parameter>> = {
  ...Object.fromEntries(LIVE_PARAMETER_NAMES.map((name) => [name, FILTER_PARAMETERS[name]])),
  incident: INCIDENT_PARAMETER,
}
const WATCH_PARAMETER_NAMES = Object.keys(WATCH_FILTER_PARAMETERS)

/** Parses a watch's filter, a JSON object at `pointer` in the body, or returns every error. */
export function parseWatchFilter(
  object: unknown,
  pointer: string,
  places: Places,
  area: AreaShape | null = null,
): Parsed<LiveFilter> {
  const { listOnly, rest } = splitListOnly(object)
  const { filter, parameters } = parseFilterObject(rest, pointer, places, WATCH_PARAMETER_NAMES, area)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const incidents = parseIncidents(parameters, errors)
  for (const name of listOnly) errors.push({ pointer: `${pointer}/${name}`, message: REASONS[name] ?? WITHOUT_TIME })
  if ('errors' in filter || errors.length > 0) return { errors }
  return { value: { ...filter.value, ...NOT_LIVE, incidents } }
}

const WITHOUT_TIME = 'is not allowed here: a watch receives only incidents published from now on; leave it out'

const REASONS: Readonly<Record<string, string>> = {
  q: 'is not allowed here: a watch matches by fields, not by words of the summary; leave it out',
  dataset: 'is not allowed here: imported history is not sent to watches; leave it out',
}

/** Separates what only a list takes, for a more helpful error. */
function splitListOnly(object: unknown): { listOnly: readonly string[]; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { listOnly: [], rest: object }
  const isListOnly = (name: string) => isOneOf(LIST_ONLY, name)
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !isListOnly(name)))
  return { listOnly: Object.keys(object).filter(isListOnly), rest }
}
