import type { AreaShape } from '../filter.ts'
import type { FilterInput } from './input.ts'

export const WITH_OTHER_SHAPES = 'cannot be combined with near, polygon or route; give one of them'

/** Returns the shape of the area that the filter names, as members of the filter; none if it names none. */
export function parseArea(input: FilterInput, shape: AreaShape | null): Partial<AreaShape> {
  if (input.single('area') === null) return {}
  if (shape === null) input.reject('area', 'is not usable here')
  else if (input.list('near') !== null) input.reject('area', WITH_OTHER_SHAPES)
  return shape ?? {}
}

/** The id of the area that a query string names; null if it names none, or several, which is an error. */
export function areaInQuery(query: URLSearchParams): string | null {
  const ids = query.getAll('area')
  return ids.length === 1 ? ids[0]!.trim() || null : null
}

/** The id of the area that a filter as JSON names; null if it names none. */
export function areaInObject(object: unknown): string | null {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return null
  const { area } = object as { area?: unknown }
  return typeof area === 'string' ? area.trim() || null : null
}
