import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { AreaShape, Filter } from './filter.ts'
import { FILTER_PARAMETER_NAMES } from './parameters.ts'
import { type Parsed, parseFilter } from './parse.ts'
import { WITH_OTHER_SHAPES } from './parsers/area.ts'
import { parametersInObject, type RawParameters } from './parsers/input.ts'
import { parseRegion } from './parsers/region.ts'
import { parseRoute } from './parsers/route.ts'
import { ShapeError } from './parsers/shape.ts'

export const SHAPE_NAMES = ['polygon', 'route'] as const
export type ShapeName = (typeof SHAPE_NAMES)[number]

export interface FilterObject {
  readonly filter: Parsed<Filter>
  /** All members but the shapes, for an endpoint that takes more than filters. */
  readonly parameters: RawParameters<string>
}

type ParseShape<Shape> = (value: unknown, pointer: string, places: Places) => Shape

/**
 * Parses a filter written as a JSON object at `pointer` in the body: the filters of a query string
 * in `names`, several values as arrays, and the shapes, which only JSON can hold. Other names in
 * `names` are left to the caller. Throws a `Problem` at once for a list that is too long.
 */
export function parseFilterObject(
  object: unknown,
  pointer: string,
  places: Places,
  names: readonly string[] = FILTER_PARAMETER_NAMES,
  area: AreaShape | null = null,
): FilterObject {
  const { polygon, route, rest } = splitShapes(object)
  const parameters = parametersInObject<string>(rest, [...names, ...SHAPE_NAMES], pointer)
  const parsed = parseFilter(parameters as Parameters<typeof parseFilter>[0], places, area)
  const errors: FieldError[] = 'errors' in parsed ? [...parsed.errors] : []
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
  if (area !== null && (shapes.region ?? shapes.route) !== null)
    errors.push({ pointer: `${pointer}/${area.sites === null ? 'area' : 'sites'}`, message: WITH_OTHER_SHAPES })
  const filter =
    'errors' in parsed || errors.length > 0 ? { errors } : { value: { ...parsed.value, ...shapes, ...area } }
  return { filter, parameters }
}

function splitShapes(object: unknown): { polygon?: unknown; route?: unknown; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { rest: object }
  const { polygon, route, ...rest } = object as Record<string, unknown>
  return { polygon, route, rest }
}
