import Type from 'typebox'
import { incidentTag } from '../domain/cache-tags.ts'
import { Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import { canonicalQuery } from '../filter/filter.ts'
import { FEED_PARAMETER_NAMES, FEED_PARAMETERS, type Listing, parseListing } from '../filter/listing.ts'
import { DEFAULT_LIMIT, type Parameter, PUBLIC_FILTER_PARAMETERS } from '../filter/parameters.ts'
import { atomLayout } from '../formats/atom.ts'
import { CAP_TYPE, capMessage } from '../formats/cap.ts'
import { ANSWER, FEED } from './caching.ts'
import { endpointsOf, SEARCH_PROBLEMS } from './contract/endpoint.ts'
import { ListCache, type ListSource } from './incidents/incidents.ts'
import { QueryClient, queryOf, textsOf } from './request.ts'
import { CachedBody, sendBytes } from './response.ts'
import type { Router } from './router.ts'
import type { Services } from './services.ts'

const endpoint = endpointsOf({ tag: 'Feeds', scope: 'read' })

const key = {
  description:
    'A publishable key, for readers that cannot send headers. Only feeds accept it here; a secret key must never be in a URL.',
  example: 'inf_pub_…',
} as const satisfies Parameter

const readFeed = endpoint('readFeed', 'GET /v1/feeds/incidents.atom', {
  sample: { state: 'Kaduna', limit: '10' },
  summary: 'Subscribe in a feed reader',
  description: 'The newest incidents that match all filters, as Atom (RFC 4287) with GeoRSS points.',
  keyInQuery: true,
  query: { ...PUBLIC_FILTER_PARAMETERS, ...FEED_PARAMETERS, key },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The feed.',
    schema: Type.String(),
    contentType: 'application/atom+xml',
  },
  problems: [...SEARCH_PROBLEMS, 'secret_key_in_url'],
})

const readAlert = endpoint('readAlert', 'GET /v1/incidents/{id}.cap', {
  summary: 'Read one incident as a CAP alert',
  description:
    'A message of the Common Alerting Protocol 1.2: `Alert` after the first publication, `Update` after a correction, and `Cancel` after a retraction, without details of the retracted incident.',
  keyInQuery: true,
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  query: { key },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The message.',
    schema: Type.String(),
    contentType: 'application/cap+xml',
  },
  problems: ['secret_key_in_url'],
})

export function feedRoutes(router: Router): void {
  const { clock, geography, publicUrl, queries } = router.environment
  const { places } = geography
  const source: ListSource = {
    parse: (query) => parseListing(query, places, FEED_PARAMETER_NAMES),
    layoutFor: (listing, { head }) =>
      atomLayout({
        publicUrl: publicUrl(),
        self: publicUrl() + pathOf(listing),
        updatedAt: head.at,
      }),
  }
  const feeds = new ListCache(source, queries)

  router.add(readFeed, async ({ request, reply, services: { archive } }) => {
    const feed = await feeds.getList(archive, queryOf(request), null, clock(), new QueryClient(request, reply))
    return sendBytes(request, reply, feed, feed.contentType, FEED)
  })

  router.add(readAlert, async ({ request, reply, parameters, services }) => {
    textsOf(request, readAlert)
    const message = capMessage(await findIncident(services, parameters.id), publicUrl())
    const caching = { ...ANSWER, tags: [incidentTag(parameters.id)] }
    return sendBytes(request, reply, new CachedBody(Buffer.from(message)), CAP_TYPE, caching)
  })
}

/** The canonical path, so that feed readers recognise a feed under every spelling. */
function pathOf({ filter, limit }: Listing): string {
  const query = [canonicalQuery(filter), limit === DEFAULT_LIMIT ? '' : `limit=${limit}`].filter(Boolean).join('&')
  return `${readFeed.path}${query && `?${query}`}`
}

/**
 * Finds retracted and merged incidents too, outside the archive: alerted clients need the
 * cancellation.
 */
async function findIncident({ archive, store }: Services, id: string): Promise<Incident> {
  const slot = archive.slotOf(id)
  const wasPublic = archive.isRetracted(id) || archive.mergedInto(id) !== null
  const incident = slot !== null ? archive.incidentOf(slot) : wasPublic ? await store.incidents.find(id) : null
  if (incident === null) throw new Problem('not_found', 'There is no incident with this id.')
  return incident
}
