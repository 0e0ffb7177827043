import Type from 'typebox'
import { FIELDS_PARAMETER } from '../../../filter/fields.ts'
import { FILTER_PARAMETERS } from '../../../filter/filter/parameters.ts'
import { FORMATS } from '../../../filter/format.ts'
import { PAGING_PARAMETERS } from '../../../filter/listing.ts'
import { endpoint } from '../endpoint.ts'
import { Named, OneOf, Time } from '../schema.ts'
import { AREA_PROBLEMS, SEARCH_PROBLEMS } from '../search-problems.ts'
import { EXAMPLE_ROAD, queryBody } from './query-body.ts'

const formats = {
  [FORMATS.geojson]: Type.Ref('IncidentFeatures'),
  [FORMATS.csv]: Type.String({
    description: 'RFC 4180, with a header row. Text that a spreadsheet would execute is prefixed with an apostrophe.',
  }),
  [FORMATS.ndjson]: Type.String({ description: 'One incident per line, as JSON.' }),
}

export const listIncidents = endpoint({
  id: 'listIncidents',
  method: 'GET',
  path: '/v1/incidents',
  sample: { state: 'Kaduna', since: '7d', limit: '5' },
  aliases: ['/incidents'],
  tag: 'Incidents',
  summary: 'List incidents',
  description:
    'Lists the incidents that match all filters, newest first. Unknown, repeated or malformed parameters are refused, never ignored. ' +
    'Follow `next_cursor` (or the `Link` header) for more pages: each match appears exactly once, even while new incidents arrive. ' +
    'The format is JSON, GeoJSON, CSV or NDJSON, chosen by `Accept` or `format`.',
  scope: 'read',
  query: { ...FILTER_PARAMETERS, ...PAGING_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'A page of incidents.',
    schema: Type.Ref('IncidentList'),
    alternatives: formats,
    headers: {
      ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.',
      Link: 'The next page, as `rel="next"`, in every format.',
    },
  },
  problems: [
    'invalid_parameter',
    ...SEARCH_PROBLEMS,
    ...AREA_PROBLEMS,
    'invalid_cursor',
    'cursor_of_another_query',
    'not_acceptable',
  ],
})

export const IncidentQuery = queryBody(
  'IncidentQuery',
  { ...FILTER_PARAMETERS, ...PAGING_PARAMETERS },
  {
    description: 'The parameters of the list as JSON, and two filters more: `polygon` and `route`.',
    example: { since: '30d', min_severity: 'high', route: { line: EXAMPLE_ROAD, buffer_km: 5 }, limit: 20 },
  },
)

export const queryIncidents = endpoint({
  id: 'queryIncidents',
  method: 'POST',
  path: '/v1/incidents/query',
  tag: 'Incidents',
  summary: 'List incidents in a polygon or along a road',
  description:
    'The same list, with the same parameters as members of a JSON object (several values as arrays) and two filters that a query string cannot hold: ' +
    '`polygon` and `route`, as in the filter of a watch. It only reads: publishable keys may use it. ' +
    'For the next page, send the same body with the `cursor` of `next_cursor`.',
  scope: 'read',
  readsOnly: true,
  body: IncidentQuery,
  bodyCheck: 'by the handler',
  response: {
    status: 200,
    description: 'A page of incidents.',
    schema: Type.Ref('IncidentList'),
    alternatives: formats,
  },
  problems: [
    'invalid_parameter',
    ...SEARCH_PROBLEMS,
    ...AREA_PROBLEMS,
    'invalid_cursor',
    'cursor_of_another_query',
    'not_acceptable',
  ],
})

export const readIncident = endpoint({
  id: 'readIncident',
  method: 'GET',
  path: '/v1/incidents/{id}',
  aliases: ['/incidents/{id}'],
  tag: 'Incidents',
  summary: 'Read one incident',
  scope: 'read',
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  query: { fields: { ...FIELDS_PARAMETER, description: 'Only these members, and `id`.' } },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The incident.',
    schema: Type.Ref('Incident'),
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter', 'merged', 'not_found', 'retracted'],
})

export const Correction = Named(
  'Correction',
  Type.Object({
    change: OneOf(['published', 'corrected', 'restored']),
    version: Type.Integer({ minimum: 1, description: 'The version that the change produced.' }),
    at: Time('When it happened.'),
    fields: Type.Array(Type.String(), { description: 'The names of the fields that a correction changed.' }),
  }),
)

export const listCorrections = endpoint({
  id: 'listCorrections',
  method: 'GET',
  path: '/v1/incidents/{id}/history',
  tag: 'Incidents',
  summary: "Read an incident's corrections",
  description:
    'The publication and all later corrections, oldest first. Imported history has no entry before its first correction.',
  scope: 'read',
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  query: {},
  response: {
    status: 200,
    description: 'All entries.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Correction')) }),
  },
  problems: ['invalid_parameter', 'merged', 'not_found', 'retracted'],
})
