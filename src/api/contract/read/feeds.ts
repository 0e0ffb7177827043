import Type from 'typebox'
import { type Parameter, PUBLIC_FILTER_PARAMETERS } from '../../../filter/filter/parameters.ts'
import { FEED_PARAMETERS } from '../../../filter/listing.ts'
import { endpoint } from '../endpoint.ts'
import { SEARCH_PROBLEMS } from '../search-problems.ts'

const key = {
  description:
    'A publishable key, for readers that cannot send headers. Only feeds accept it here; a secret key must never be in a URL.',
  example: 'inf_pub_…',
} as const satisfies Parameter

const etag = { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' }

export const readFeed = endpoint({
  id: 'readFeed',
  method: 'GET',
  path: '/v1/feeds/incidents.atom',
  sample: { state: 'Kaduna', limit: '10' },
  tag: 'Feeds',
  summary: 'Subscribe in a feed reader',
  description: 'The newest incidents that match all filters, as Atom (RFC 4287) with GeoRSS points.',
  scope: 'read',
  keyInQuery: true,
  query: { ...PUBLIC_FILTER_PARAMETERS, ...FEED_PARAMETERS, key },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The feed.',
    schema: Type.String(),
    contentType: 'application/atom+xml',
    headers: etag,
  },
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS, 'secret_key_in_url'],
})

export const readAlert = endpoint({
  id: 'readAlert',
  method: 'GET',
  path: '/v1/incidents/{id}.cap',
  tag: 'Feeds',
  summary: 'Read one incident as a CAP alert',
  description:
    'A message of the Common Alerting Protocol 1.2: `Alert` after the first publication, `Update` after a correction, and `Cancel` after a retraction, without details of the retracted incident.',
  scope: 'read',
  keyInQuery: true,
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  query: { key },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The message.',
    schema: Type.String(),
    contentType: 'application/cap+xml',
    headers: etag,
  },
  problems: ['invalid_parameter', 'not_found', 'secret_key_in_url'],
})
