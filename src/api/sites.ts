import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type ReadSites, sitesInCsv, sitesInGeoJson, sitesInJson } from '../desk/sites.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../domain/identifier.ts'
import {
  MAX_SITE_RADIUS_KM,
  MAX_SITE_TEXT,
  MAX_SITES,
  type SiteList as StoredList,
  type Site as StoredSite,
} from '../domain/sites.ts'
import { singleLine } from '../domain/summary.ts'
import type { Geography } from '../geo/geography.ts'
import { randomBytes } from '../lib/runtime.ts'
import { timeText } from '../lib/time.ts'
import type { UsedSiteList } from '../store/store.ts'
import { limitOf } from './auth/quotas.ts'
import { endpointsOf, ok } from './contract/endpoint.ts'
import { Closed, Count, NamedObject, Nullable, PAGING, PageOf, pageParameters, Text, Time } from './contract/schema.ts'
import { sendAnswer } from './idempotency.ts'
import {
  identifierCursor,
  invalidCursor,
  listParametersOf,
  pageById,
  pageOf,
  textsOf,
  unknownSites,
} from './request.ts'
import type { Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Sites', scope: 'watch' })

const id = { id: 'The id of the list, such as `sit_01jd8z0c5x…`.' }
const name = Type.String({ minLength: 1, maxLength: 100, description: 'Unique among the site lists of your account.' })

NamedObject(
  'Site',
  {
    name: Type.String({ minLength: 1, maxLength: MAX_SITE_TEXT }),
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Kept with six decimals, about 11 cm.' }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    radius_km: Type.Number({ exclusiveMinimum: 0, maximum: MAX_SITE_RADIUS_KM }),
    reference: Type.Optional(
      Nullable(Type.String({ maxLength: MAX_SITE_TEXT, description: 'Your own number or code for the site.' })),
    ),
  },
  { description: 'A place, and the distance within which its owner wants to hear of incidents.' },
)

NamedObject(
  'SiteList',
  {
    id: Type.String(),
    name,
    size: Type.Integer({ minimum: 1, maximum: MAX_SITES, description: 'How many sites it has.' }),
    version: Type.Integer({ minimum: 1, description: 'Counts the changes of its sites.' }),
    watches: Count('How many of your watches use the list.'),
    created_at: Time('When the list was saved.'),
    updated_at: Time('When the list was last changed.'),
  },
  { description: 'A saved list of sites, without the sites.' },
)

const example = {
  name: 'Depots',
  sites: [{ name: 'Depot Kaduna', latitude: 10.52, longitude: 7.44, radius_km: 25, reference: 'KD-1' }],
}
const body = Closed({ name, sites: Type.Array(Type.Ref('Site'), { minItems: 1, maxItems: MAX_SITES }) }, { example })
const otherBodies = {
  'text/csv': Text('A header line `name,latitude,longitude,radius_km,reference`, then a line for each site.'),
  'application/geo+json': Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'A FeatureCollection of points with the properties `name`, `radius_km` and `reference`.',
    },
  ),
}
const query = {
  name: { description: 'The name of the list, if the body is CSV or GeoJSON, which have none.', example: 'Depots' },
}
/**
 * Ten thousand sites as GeoJSON as programs write it, with names and references of usual length.
 */
const maxBodyBytes = 4 * 1024 * 1024

const createSites = endpoint('createSites', 'POST /v1/sites', {
  summary: 'Save a list of sites',
  description: `Saves up to ${MAX_SITES.toLocaleString('en')} sites under a name, as JSON, CSV or GeoJSON of at most 4 MB. Its id is \`sites\` in lists, statistics, tiles, streams and the filters of watches: an incident matches if its position lies within the radius of one of the sites. Only your account can see and use it.`,
  quota: 'site_uploads_per_minute',
  query,
  sample: {},
  body,
  otherBodies,
  maxBodyBytes,
  bodyCheck: 'by the handler',
  response: { status: 201, description: 'The list.', schema: Type.Ref('SiteList') },
  problems: ['invalid_parameter', 'name_taken', 'too_many_site_lists'],
})

const listSites = endpoint('listSites', 'GET /v1/sites', {
  summary: 'List your site lists',
  query: pageParameters('Lists', 100),
  response: ok('Newest first.', PageOf('SiteList')),
})

const readSites = endpoint('readSites', 'GET /v1/sites/{id}', {
  summary: 'Read a list with a page of its sites',
  pathParameters: id,
  query: pageParameters('Sites', 1000),
  response: ok(
    'The list, with sites in their order in `data`.',
    Type.Object({
      list: Type.Ref('SiteList'),
      data: Type.Array(Type.Ref('Site')),
      ...PAGING,
    }),
  ),
})

const replaceSites = endpoint('replaceSites', 'PUT /v1/sites/{id}', {
  summary: 'Replace the sites of a list',
  description:
    'The body is as in `POST /v1/sites`; without a name the list keeps its own. Watches that use the list match by its new sites from then on, on all nodes. Open streams keep the sites with which they began, and cursors of lists by these sites end.',
  quota: 'site_uploads_per_minute',
  pathParameters: id,
  query,
  sample: {},
  body,
  otherBodies,
  maxBodyBytes,
  bodyCheck: 'by the handler',
  response: ok('The list.', Type.Ref('SiteList')),
  problems: ['invalid_parameter', 'name_taken'],
})

const deleteSites = endpoint('deleteSites', 'DELETE /v1/sites/{id}', {
  summary: 'Delete a list of sites',
  description: 'A list that watches use is not deleted: 409 `sites_in_use` names them.',
  pathParameters: id,
  response: { status: 204, description: 'The list is gone.', schema: null },
  problems: ['invalid_parameter', 'sites_in_use'],
})

const MAX_NAME = 100

export function siteListRoutes(router: Router): void {
  const { clock, config, geography } = router.environment

  router.add(createSites, async ({ request, reply, body, storeWith }) => {
    const { name, sites } = uploadOf(request, body, textsOf(request, createSites)('name'), geography)
    if (name === null) throw invalidBody([{ pointer: '/name', message: 'is missing; CSV and GeoJSON take ?name=' }])
    const now = clock()
    const list: StoredList = {
      id: newIdentifier('siteList', now, randomBytes),
      accountId: request.caller!.account.id,
      name,
      size: sites.length,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const answer = { status: 201, body: listResponse({ ...list, watches: 0 }) }
    const max = limitOf(config, request.caller!.account, 'site_lists')
    const added = await storeWith(answer).siteLists.add(list, sites, max)
    if (added === 'name_taken') throw nameTaken(name)
    if (added === 'too_many')
      throw new Problem('too_many_site_lists', `Your account may have ${max} lists of sites. Delete one first.`)
    return sendAnswer(reply, answer)
  })

  router.add(listSites, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listSites)
    const cursor = identifierCursor('siteList', text('cursor'))
    const found = await store.siteLists.list(request.caller!.account.id, limit + 1, cursor)
    return pageById(found, limit, listResponse)
  })

  router.add(readSites, async ({ request, parameters, services: { store } }) => {
    const { text, limit } = listParametersOf(request, readSites)
    const cursor = /^(\d{1,9})\.(\d{1,5})$/.exec(text('cursor') ?? '')
    if (text('cursor') !== null && cursor === null) throw invalidCursor()
    const id = knownForm(parameters.id)
    const from = Number(cursor?.[2] ?? 0)
    const found = await store.siteLists.page(request.caller!.account.id, id, from, limit + 1)
    if (found === null) throw unknownSites()
    const { list, sites } = found
    // Pages of two versions would have some sites twice and others not at all.
    if (cursor !== null && Number(cursor[1]) !== list.version) throw invalidCursor()
    const numbered = sites.map((site, at) => ({ site, next: `${list.version}.${from + at + 1}` }))
    const page = pageOf(
      numbered,
      limit,
      ({ next }) => next,
      ({ site }) => siteResponse(site),
    )
    return { list: listResponse(list), ...page }
  })

  router.add(replaceSites, async ({ request, parameters, body, services: { store } }) => {
    const id = knownForm(parameters.id)
    const upload = uploadOf(request, body, textsOf(request, replaceSites)('name'), geography)
    const accountId = request.caller!.account.id
    const list = await store.siteLists.find(accountId, id)
    if (list === null) throw unknownSites()
    const name = upload.name ?? list.name
    const changed = await store.siteLists.change(accountId, id, { name, sites: upload.sites }, clock())
    if (changed === null) throw unknownSites()
    if (changed === 'name_taken') throw nameTaken(name)
    return listResponse(changed)
  })

  router.add(deleteSites, async ({ request, reply, parameters, services: { store } }) => {
    const using = await store.siteLists.remove(request.caller!.account.id, knownForm(parameters.id))
    if (using === null) throw unknownSites()
    if (using.length > 0) {
      const names = using.map((watch) => `${JSON.stringify(watch.name)} (${watch.id})`)
      throw new Problem('sites_in_use', `Watches use this list: ${names.join(', ')}. Change or delete them first.`)
    }
    reply.status(204)
  })
}

/** Reads the sites, and the name if there is one; throws a `Problem` with every error. */
function uploadOf(
  request: FastifyRequest,
  body: unknown,
  nameInQuery: string | null,
  { locate }: Geography,
): { name: string | null; sites: readonly StoredSite[] } {
  const isInNigeria = (lat: number, lng: number) => locate(lat, lng).kind === 'located'
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === 'text/csv')
    return { name: parseName(nameInQuery), sites: sitesOf(sitesInCsv(body as string, isInNigeria)) }
  if (type === 'application/geo+json')
    return { name: parseName(nameInQuery), sites: sitesOf(sitesInGeoJson(body, isInNigeria)) }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody([{ pointer: '', message: 'must be an object with name and sites' }])
  const { name, sites, ...others } = body as { name?: unknown; sites?: unknown }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw invalidBody([{ pointer: '', message: `has the unknown member ${JSON.stringify(unknown.slice(0, 40))}` }])
  return { name: parseName(name ?? nameInQuery), sites: sitesOf(sitesInJson(sites, isInNigeria)) }
}

function sitesOf(read: ReadSites): readonly StoredSite[] {
  if ('sites' in read) return read.sites
  const { errors } = read
  const { pointer, message } = errors[0]!
  // Errors of a table begin with its line, which is enough to find them.
  const first = pointer ? `${pointer} ${message}` : message.startsWith('line ') ? message : `the body ${message}`
  const several = errors.length === 1 ? '' : `${errors.length} values are wrong; first, `
  throw new Problem('invalid_body', `${several}${first}.`, { errors })
}

function parseName(given: unknown): string | null {
  if (given === null || given === undefined) return null
  const name = typeof given === 'string' && given.length <= MAX_NAME ? singleLine(given) : ''
  if (name === '') throw invalidBody([{ pointer: '/name', message: `must be a text of up to ${MAX_NAME} characters` }])
  return name
}

/** A text that is no id is not looked up: databases cannot hold every text. */
function knownForm(id: string): string {
  if (!isIdentifier('siteList', id)) throw unknownSites()
  return id
}

function nameTaken(name: string): Problem {
  return new Problem('name_taken', `Your account has another list of sites with the name ${JSON.stringify(name)}.`)
}

function listResponse({ id, name, size, version, watches, createdAt, updatedAt }: UsedSiteList) {
  return { id, name, size, version, watches, created_at: timeText(createdAt), updated_at: timeText(updatedAt) }
}

function siteResponse({ name, latitude, longitude, radiusKm, reference }: StoredSite) {
  return { name, latitude, longitude, radius_km: radiusKm, reference }
}
