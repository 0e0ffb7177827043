import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { canonicalObject } from './canonical.ts'
import { type AreaShape, EVERYTHING } from './filter.ts'
import { parseFilterObject } from './filter-object.ts'
import type { Parsed } from './parse.ts'

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
  const object = circle ? { near: [circle.lat, circle.lng], radius_km: circle.radius_km } : { polygon, route }
  const { filter } = parseFilterObject(withoutUndefined(object), '', places)
  if ('errors' in filter) return { errors: filter.errors.map(atCircle) }
  const { circle: parsedCircle, region, route: parsedRoute } = filter.value
  return { value: { circle: parsedCircle, region, route: parsedRoute, sites: null } }
}

/** The shape as it is stored: the members of a canonical filter. */
export function areaShapeText(shape: AreaShape): string {
  return JSON.stringify(canonicalObject({ ...EVERYTHING, ...shape }))
}

/** Reads a stored shape; throws if it is damaged. */
export function areaShapeOf(text: string, places: Places): AreaShape {
  const { filter } = parseFilterObject(JSON.parse(text), '', places)
  if ('errors' in filter) throw new TypeError(`a stored area cannot be read: ${filter.errors[0]?.message}`)
  const { circle, region, route } = filter.value
  return { circle, region, route, sites: null }
}

/** A stored shape as clients write it. */
export function givenShapeOf(text: string): GivenShape & { readonly kind: 'polygon' | 'route' | 'circle' } {
  const { near, radius_km, ...rest } = JSON.parse(text) as GivenShape & { near?: [number, number]; radius_km?: number }
  if (near === undefined) return { kind: rest.polygon === undefined ? 'route' : 'polygon', ...rest }
  return { kind: 'circle', circle: { lat: near[0], lng: near[1], radius_km: radius_km! } }
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function atCircle({ pointer, ...rest }: FieldError): FieldError {
  const at = { '/near': '/circle', '/radius_km': '/circle/radius_km' }[pointer ?? '']
  return { pointer: at ?? pointer ?? '', ...rest }
}
