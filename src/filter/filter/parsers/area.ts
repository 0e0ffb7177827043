import type { AreaShape } from '../filter.ts'
import type { FilterInput } from './input.ts'

export const WITH_OTHER_SHAPES = 'cannot be combined with near, polygon or route; give one of them'

/** The parameters that name what an account has saved. */
export const SAVED_PARAMETERS = ['area', 'sites'] as const
export type SavedParameter = (typeof SAVED_PARAMETERS)[number]

/** What a filter names of what its account has saved. */
export interface SavedName {
  readonly parameter: SavedParameter
  readonly id: string
}

/**
 * Returns the shape of the area, or the sites of the list, that the filter names, as members of the
 * filter; none if it names none.
 */
export function parseSaved(input: FilterInput, shape: AreaShape | null): Partial<AreaShape> {
  const given = SAVED_PARAMETERS.filter((name) => input.single(name) !== null)
  const [name] = given
  if (name === undefined) return {}
  if (given.length > 1) input.reject('sites', 'cannot be combined with area; give one of them')
  else if (shape === null) input.reject(name, 'is not usable here')
  else if (input.list('near') !== null) input.reject(name, WITH_OTHER_SHAPES)
  return shape ?? {}
}

/** What a query string names; null if it names nothing, or several of a kind, which is an error. */
export function savedInQuery(query: URLSearchParams): SavedName | null {
  for (const parameter of SAVED_PARAMETERS) {
    const ids = query.getAll(parameter)
    const id = ids.length === 1 ? ids[0]!.trim() : ''
    if (id !== '') return { parameter, id }
  }
  return null
}

/** What a filter as JSON names; null if it names nothing. */
export function savedInObject(object: unknown): SavedName | null {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return null
  for (const parameter of SAVED_PARAMETERS) {
    const value = (object as Partial<Record<SavedParameter, unknown>>)[parameter]
    const id = typeof value === 'string' ? value.trim() : ''
    if (id !== '') return { parameter, id }
  }
  return null
}
