import type { FieldError } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { type AreaShape, canonicalObject, EVERYTHING } from './filter.ts'
import { type Parsed, parseFilterObject, SAVED_PARAMETERS, type SavedParameter } from './parse-filter.ts'

/** An area as a client writes it: one of the three members. */
export interface GivenShape {
  readonly polygon?: unknown
  readonly route?: unknown
  readonly circle?: { readonly lat: number; readonly lng: number; readonly radius_km: number }
}

/** Parses the shape of an area, or returns every error in it. */
export function parseAreaShape({ polygon, route, circle }: GivenShape, places: Places): Parsed<AreaShape> {
  const given = [polygon, route, circle].filter((shape) => shape !== undefined).length
  if (given !== 1)
    return {
      errors: [{ pointer: '', message: 'must have one of polygon, route and circle; save each as its own area' }],
    }
  const object = circle
    ? { near: [circle.lat, circle.lng], radius_km: circle.radius_km }
    : route === undefined
      ? { polygon }
      : { route }
  const { filter } = parseFilterObject(object, '', places)
  if ('errors' in filter) return { errors: filter.errors.map(atCircle) }
  return { value: shapeOf(filter.value) }
}

/** The shape as it is stored: the members of a canonical filter. */
export function areaShapeText(shape: AreaShape): string {
  return JSON.stringify(canonicalObject({ ...EVERYTHING, ...shape }))
}

/** Reads a stored shape; throws if it is damaged. */
export function areaShapeOf(text: string, places: Places): AreaShape {
  const { filter } = parseFilterObject(JSON.parse(text), '', places)
  if ('errors' in filter) throw new TypeError(`a stored area cannot be read: ${filter.errors[0]?.message}`)
  return shapeOf(filter.value)
}

function shapeOf({ circle, region, route }: AreaShape): AreaShape {
  return { circle, region, route, sites: null }
}

/** A stored shape as clients write it. */
export function givenShapeOf(text: string): GivenShape & { readonly kind: 'polygon' | 'route' | 'circle' } {
  const { near, radius_km, ...rest } = JSON.parse(text) as GivenShape & { near?: [number, number]; radius_km?: number }
  if (near === undefined) return { kind: rest.polygon === undefined ? 'route' : 'polygon', ...rest }
  return { kind: 'circle', circle: { lat: near[0], lng: near[1], radius_km: radius_km! } }
}

function atCircle({ pointer, ...rest }: FieldError): FieldError {
  const at = { '/near': '/circle', '/radius_km': '/circle/radius_km' }[pointer ?? '']
  return { pointer: at ?? pointer ?? '', ...rest }
}

/** Something that an account has saved, as a filter names it. */
export interface SavedName {
  readonly parameter: SavedParameter
  readonly id: string
}

/** Null if the query names nothing, or several of a kind, which is an error. */
export function savedInQuery(query: URLSearchParams): SavedName | null {
  return firstSaved((name) => (query.getAll(name).length === 1 ? query.get(name) : null))
}

export function savedInObject(object: unknown): SavedName | null {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return null
  return firstSaved((name) => (object as Partial<Record<SavedParameter, unknown>>)[name])
}

function firstSaved(valueIn: (name: SavedParameter) => unknown): SavedName | null {
  for (const parameter of SAVED_PARAMETERS) {
    const value = valueIn(parameter)
    const id = typeof value === 'string' ? value.trim() : ''
    if (id !== '') return { parameter, id }
  }
  return null
}
