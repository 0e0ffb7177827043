import type { FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Places } from '../../domain/places.ts'
import { areaShapeOf } from '../../filter/filter/area-shape.ts'
import type { AreaShape } from '../../filter/filter/filter.ts'
import { type SavedName, savedInObject, savedInQuery } from '../../filter/filter/parsers/area.ts'
import type { SiteIndex } from '../../filter/sites/site-index.ts'
import type { Store } from '../../store/store.ts'
import { queryOf } from './parameters.ts'
import { readSiteIndex } from './site-indexes.ts'

/** Finds the saved area, or list of sites, that the query string names; null if it names none. */
export function areaOfQuery(request: FastifyRequest, store: Store, places: Places): Promise<AreaShape | null> | null {
  const query = queryOf(request)
  // Most queries name none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes('area') && !query.includes('sites') && !query.includes('%')) return null
  const saved = savedInQuery(new URLSearchParams(query))
  return saved && findSaved(request, store, saved, { parameter: saved.parameter }, places)
}

/**
 * Finds the saved area, or list of sites, that a filter as JSON, at `pointer` in the body, names.
 */
export async function areaOfBody(
  request: FastifyRequest,
  store: Store,
  filter: unknown,
  pointer: string,
  places: Places,
): Promise<AreaShape | null> {
  const saved = savedInObject(filter)
  return saved && findSaved(request, store, saved, { pointer: `${pointer}/${saved.parameter}` }, places)
}

/**
 * Finds an area or a list of sites of the caller's account. Throws 404 for an unknown one and for
 * that of another account, and 403 for a publishable key: it is public, and the places may not be.
 */
async function findSaved(
  request: FastifyRequest,
  store: Store,
  { parameter, id }: SavedName,
  at: { parameter: string } | { pointer: string },
  places: Places,
): Promise<AreaShape> {
  const { account, key } = request.caller!
  if (key.kind === 'publishable')
    throw new Problem(
      'insufficient_scope',
      `A publishable key cannot use saved ${parameter === 'area' ? 'areas' : 'sites'}: send a secret key.`,
    )
  if (parameter === 'sites') {
    const sites = isIdentifier('siteList', id) ? await readSiteIndex(store.siteLists, account.id, id) : null
    if (sites === null) throw unknownSites(at)
    return sitesShape(sites)
  }
  const area = isIdentifier('area', id) ? await store.areas.find(account.id, id) : null
  if (area === null) throw unknownArea(at)
  return areaShapeOf(area.shape, places)
}

export function sitesShape(sites: SiteIndex): AreaShape {
  return { circle: null, region: null, route: null, sites }
}

export function unknownSites(at?: { parameter: string } | { pointer: string }): Problem {
  const message = 'names no saved list of sites of your account'
  return new Problem('not_found', 'Your account has no such list of sites. GET /v1/sites lists yours.', {
    errors: at === undefined ? [] : [{ ...at, message }],
  })
}

export function unknownArea(at?: { parameter: string } | { pointer: string }): Problem {
  const message = 'names no saved area of your account'
  return new Problem('not_found', 'Your account has no such area. GET /v1/areas lists yours.', {
    errors: at === undefined ? [] : [{ ...at, message }],
  })
}
