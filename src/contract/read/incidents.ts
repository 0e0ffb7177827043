import Type from 'typebox'
import { FILTER_PARAMETERS } from '../../query/filter/parameters.ts'
import { FORMATS } from '../../query/format.ts'
import { PAGING_PARAMETERS } from '../../query/listing.ts'
import { endpoint } from '../endpoint.ts'
import { Named, OneOf, Time } from '../schema.ts'

export const listIncidents = endpoint({
  id: 'listIncidents',
  method: 'GET',
  path: '/v1/incidents',
  aliases: ['/incidents'],
  tag: 'Incidents',
  summary: 'List incidents',
  description:
    'The incidents that match all filters given, newest first. A parameter that is unknown, repeated or malformed is refused, never ignored. ' +
    'Follow `next_cursor` (or the `Link` header) for more: each match comes exactly once, though others arrive meanwhile. ' +
    'As JSON, GeoJSON, CSV or NDJSON, by `Accept` or `format`.',
  scope: 'read',
  query: { ...FILTER_PARAMETERS, ...PAGING_PARAMETERS },
  response: {
    status: 200,
    description: 'A page of incidents.',
    schema: Type.Ref('IncidentList'),
    alternatives: {
      [FORMATS.geojson]: Type.Ref('IncidentFeatures'),
      [FORMATS.csv]: Type.String({
        description: 'RFC 4180, with a header row. Text that a spreadsheet would run is marked with an apostrophe.',
      }),
      [FORMATS.ndjson]: Type.String({ description: 'One incident a line, as JSON.' }),
    },
    headers: {
      ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.',
      Link: 'The next page, as `rel="next"`, in every format.',
    },
  },
  problems: ['invalid_parameter', 'invalid_cursor', 'cursor_of_another_query', 'not_acceptable'],
})

export const readIncident = endpoint({
  id: 'readIncident',
  method: 'GET',
  path: '/v1/incidents/{id}',
  aliases: ['/incidents/{id}'],
  tag: 'Incidents',
  summary: 'Read one incident',
  scope: 'read',
  pathParameters: { id: 'The id of the incident, as `inc_01jd8z0c5x…`.' },
  query: {},
  response: {
    status: 200,
    description: 'The incident.',
    schema: Type.Ref('Incident'),
    headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter', 'not_found', 'retracted'],
})

export const Correction = Named(
  'Correction',
  Type.Object({
    change: OneOf(['published', 'corrected']),
    version: Type.Integer({ minimum: 1, description: 'The version that it left.' }),
    at: Time('When.'),
    fields: Type.Array(Type.String(), { description: 'What a correction has changed, by the names of the fields.' }),
  }),
)

export const listCorrections = endpoint({
  id: 'listCorrections',
  method: 'GET',
  path: '/v1/incidents/{id}/history',
  tag: 'Incidents',
  summary: "Read an incident's corrections",
  description:
    'When it was published and what was corrected since, oldest first. Imported history has none before its first correction.',
  scope: 'read',
  pathParameters: { id: 'The id of the incident, as `inc_01jd8z0c5x…`.' },
  query: {},
  response: {
    status: 200,
    description: 'All of them.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Correction')) }),
  },
  problems: ['invalid_parameter', 'not_found', 'retracted'],
})
