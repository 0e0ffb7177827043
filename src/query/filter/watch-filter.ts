import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { type LiveFilter, NO_TIME } from './filter.ts'
import { FILTER_PARAMETER_NAMES, type FilterParameter } from './parameters.ts'
import { type Parsed, parseFilter } from './parse.ts'
import { isOneOf, parametersInObject } from './parsers/input.ts'
import { readRegion } from './parsers/region.ts'
import { readRoute } from './parsers/route.ts'
import { Fault } from './parsers/shape.ts'

export const TIME_PARAMETERS = ['since', 'from', 'to', 'occurred_from', 'occurred_to'] as const

/** The filters that can stand for what is still to come: all but those on time. */
export const LIVE_PARAMETER_NAMES = FILTER_PARAMETER_NAMES.filter((name) => !isOneOf(TIME_PARAMETERS, name))

const DRAWN_NAMES = ['polygon', 'route'] as const
export type DrawnName = (typeof DRAWN_NAMES)[number]

const NAMES: readonly (FilterParameter | DrawnName)[] = [...LIVE_PARAMETER_NAMES, ...DRAWN_NAMES]

type ReadShape<Shape> = (value: unknown, pointer: string, places: Places) => Shape

/** Understands a watch's filter, or says everything that is wrong with it. `pointer` is where it lies in the body. */
export function parseWatchFilter(object: unknown, pointer: string, places: Places): Parsed<LiveFilter> {
  const { polygon, route, timed, rest } = apart(object)
  const given = parametersInObject(rest, NAMES, pointer)
  const filter = parseFilter(given as Parameters<typeof parseFilter>[0], places)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  for (const name of timed) errors.push({ pointer: `${pointer}/${name}`, message: WITHOUT_TIME })
  const drawn = <Shape>(value: unknown, at: string, read: ReadShape<Shape>): Shape | null => {
    if (value === undefined) return null
    try {
      return read(value, at, places)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      errors.push(error.error)
      return null
    }
  }
  const shapes = {
    region: drawn(polygon, `${pointer}/polygon`, readRegion),
    route: drawn(route, `${pointer}/route`, readRoute),
  }
  if ('errors' in filter || errors.length > 0) return { errors }
  return { value: { ...filter.value, ...NO_TIME, ...shapes } }
}

const WITHOUT_TIME = 'has no place here: a watch is told of what is published from now on; leave it out'

/** What is drawn and what is on time, apart from the parameters that are read as in a query string. */
function apart(object: unknown): { polygon?: unknown; route?: unknown; timed: readonly string[]; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { timed: [], rest: object }
  const { polygon, route, ...others } = object as Record<string, unknown>
  const isTimed = (name: string) => isOneOf(TIME_PARAMETERS, name)
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !isTimed(name)))
  return { polygon, route, timed: Object.keys(others).filter(isTimed), rest }
}
