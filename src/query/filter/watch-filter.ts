import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { isOneOf } from '../parameter-values.ts'
import { type LiveFilter, NO_TIME } from './filter.ts'
import { FILTER_PARAMETER_NAMES, type FilterParameter } from './parameters.ts'
import { type Parsed, parseFilter } from './parse.ts'
import { parametersInObject } from './parsers/input.ts'
import { parseRegion } from './parsers/region.ts'
import { parseRoute } from './parsers/route.ts'
import { ShapeError } from './parsers/shape.ts'

export const TIME_PARAMETERS = ['since', 'from', 'to', 'occurred_from', 'occurred_to'] as const

/** The parameters of a `LiveFilter`: all but the times. */
export const LIVE_PARAMETER_NAMES = FILTER_PARAMETER_NAMES.filter((name) => !isOneOf(TIME_PARAMETERS, name))

const SHAPE_NAMES = ['polygon', 'route'] as const
export type ShapeName = (typeof SHAPE_NAMES)[number]

const NAMES: readonly (FilterParameter | ShapeName)[] = [...LIVE_PARAMETER_NAMES, ...SHAPE_NAMES]

type ParseShape<Shape> = (value: unknown, pointer: string, places: Places) => Shape

/** Parses a watch's filter, a JSON object at `pointer` in the body, or returns every error. */
export function parseWatchFilter(object: unknown, pointer: string, places: Places): Parsed<LiveFilter> {
  const { polygon, route, times, rest } = splitMembers(object)
  const parameters = parametersInObject(rest, NAMES, pointer)
  const filter = parseFilter(parameters as Parameters<typeof parseFilter>[0], places)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  for (const name of times) errors.push({ pointer: `${pointer}/${name}`, message: WITHOUT_TIME })
  const shapeOf = <Shape>(value: unknown, at: string, parse: ParseShape<Shape>): Shape | null => {
    if (value === undefined) return null
    try {
      return parse(value, at, places)
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error
      errors.push(error.error)
      return null
    }
  }
  const shapes = {
    region: shapeOf(polygon, `${pointer}/polygon`, parseRegion),
    route: shapeOf(route, `${pointer}/route`, parseRoute),
  }
  if ('errors' in filter || errors.length > 0) return { errors }
  return { value: { ...filter.value, ...NO_TIME, ...shapes } }
}

const WITHOUT_TIME = 'is not allowed here: a watch receives only incidents published from now on; leave it out'

/** Separates shapes and times from the parameters that a query string can hold too. */
function splitMembers(object: unknown): {
  polygon?: unknown
  route?: unknown
  times: readonly string[]
  rest: unknown
} {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { times: [], rest: object }
  const { polygon, route, ...others } = object as Record<string, unknown>
  const isTime = (name: string) => isOneOf(TIME_PARAMETERS, name)
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !isTime(name)))
  return { polygon, route, times: Object.keys(others).filter(isTime), rest }
}
