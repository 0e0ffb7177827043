import type { FastifyRequest } from 'fastify'
import { invalidBody, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import type { AreaShape } from '../../filter/filter.ts'
import { areaShapeOf, type SavedName, savedInObject, savedInQuery } from '../../filter/saved-areas.ts'
import { SiteIndex } from '../../filter/site-index.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { SiteLists, Store } from '../../store/store.ts'
import { queryOf } from './parameters.ts'

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

/** Of up to 260 KB each. */
const MAX_LISTS = 32

type Lists = Pick<SiteLists, 'positions' | 'version'>

const keptOf = new WeakMap<Lists, BoundedCache<string, SiteIndex>>()

/**
 * Reads the sites of a list; null if the account has none with this id. Lists that were asked for
 * lately are kept: indexing 10,000 sites takes three milliseconds, and every question would.
 */
export async function readSiteIndex(lists: Lists, accountId: string, listId: string): Promise<SiteIndex | null> {
  const kept = keptOf.get(lists) ?? new BoundedCache<string, SiteIndex>(MAX_LISTS)
  keptOf.set(lists, kept)
  const known = kept.get(listId)
  // The version is that of the account's own list: nobody gets another's.
  if (known !== undefined && (await lists.version(accountId, listId)) === known.version) return known
  const found = await lists.positions(accountId, listId)
  if (found === null) return null
  const index = new SiteIndex(found.id, found.version, found.positions)
  kept.set(listId, index)
  return index
}

/**
 * Refuses ids of incidents that were never public: a watch would wait for ever. An unpublished
 * report is refused in the same words, so that nobody learns of it. Retracted and merged ones are
 * taken: they may come back, and a merged one is followed on.
 */
export async function requirePublished(
  ids: readonly string[] | null,
  { incidents }: Pick<Store, 'incidents'>,
  at: { readonly pointer: string } | { readonly parameter: string },
): Promise<void> {
  if (ids === null) return
  const found = await incidents.current(ids)
  const published = new Set(found.filter(({ document }) => wasPublished(document)).map(({ id }) => id))
  const unknown = ids.filter((id) => !published.has(id))
  if (unknown.length === 0) return
  const message = `names no public incident: ${unknown.join(', ')}; GET /v1/incidents has the ids`
  throw 'pointer' in at ? invalidBody([{ ...at, message }]) : invalidParameters([{ ...at, message }])
}

function wasPublished(document: string): boolean {
  return (JSON.parse(document) as Incident).published_at !== null
}
