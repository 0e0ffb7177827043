import type { FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Places } from '../../domain/places.ts'
import { areaShapeOf } from '../../query/filter/area-shape.ts'
import type { AreaShape } from '../../query/filter/filter.ts'
import { areaInObject, areaInQuery } from '../../query/filter/parsers/area.ts'
import type { Store } from '../../store/store.ts'
import { queryOf } from './parameters.ts'

/** Finds the shape of the saved area that the query string names; null if it names none. */
export function areaOfQuery(request: FastifyRequest, store: Store, places: Places): Promise<AreaShape | null> | null {
  const query = queryOf(request)
  // Most queries name none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes('area') && !query.includes('%')) return null
  const id = areaInQuery(new URLSearchParams(query))
  return id === null ? null : findArea(request, store, id, { parameter: 'area' }, places)
}

/** Finds the shape of the saved area that a filter as JSON, at `pointer` in the body, names. */
export async function areaOfBody(
  request: FastifyRequest,
  store: Store,
  filter: unknown,
  pointer: string,
  places: Places,
): Promise<AreaShape | null> {
  const id = areaInObject(filter)
  return id === null ? null : findArea(request, store, id, { pointer: `${pointer}/area` }, places)
}

/**
 * Finds the shape of an area of the caller's account. Throws 404 for an unknown one and for that of
 * another account, and 403 for a publishable key: it is public, and the area may not be.
 */
async function findArea(
  request: FastifyRequest,
  store: Store,
  id: string,
  at: { parameter: string } | { pointer: string },
  places: Places,
): Promise<AreaShape> {
  const { account, key } = request.caller!
  if (key.kind === 'publishable')
    throw new Problem('insufficient_scope', 'A publishable key cannot use saved areas: send a secret key.')
  const area = isIdentifier('area', id) ? await store.areas.find(account.id, id) : null
  if (area === null) throw unknownArea(at)
  return areaShapeOf(area.shape, places)
}

export function unknownArea(at?: { parameter: string } | { pointer: string }): Problem {
  const message = 'names no saved area of your account'
  return new Problem('not_found', 'Your account has no such area. GET /v1/areas lists yours.', {
    errors: at === undefined ? [] : [{ ...at, message }],
  })
}
