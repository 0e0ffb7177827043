import Type, { type TProperties, type TSchema } from 'typebox'
import { LGA_BASES, PRECISIONS, STATUSES, TIME_PRECISIONS } from '../../domain/incident.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { FIELDS_PARAMETER, FORMATS, PAGING_PARAMETERS } from '../../filter/listing.ts'
import { FILTER_PARAMETERS, MAX_LIST_VALUES, type Parameter } from '../../filter/parameters.ts'
import { BUFFER_KM, MAX_POINTS, MAX_POSITIONS } from '../../filter/parse-shapes.ts'
import { AREA_PROBLEMS, endpointsOf, NEWNESS_PARAMETERS, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import { Closed, Count, Flag, Named, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'

const endpoint = endpointsOf({ tag: 'Incidents', scope: 'read' })

/** From Abuja to Kaduna. */
export const EXAMPLE_ROAD = [
  [7.49, 9.06],
  [7.38, 9.68],
  [7.44, 10.52],
]

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 3, description: 'Longitude, latitude.' })
const Rings = Type.Array(Type.Array(Position, { minItems: 4, maxItems: MAX_POSITIONS }), { minItems: 1 })
const geometry = <Coordinates extends TSchema>(type: 'Polygon' | 'MultiPolygon', coordinates: Coordinates) =>
  Type.Object(
    { type: OneOf([type]), coordinates, bbox: Type.Optional(Type.Array(Type.Number())) },
    { additionalProperties: false },
  )

export const Region = Named(
  'Region',
  Type.Union([geometry('Polygon', Rings), geometry('MultiPolygon', Type.Array(Rings, { minItems: 1 }))], {
    description: `A GeoJSON Polygon or MultiPolygon of up to ${MAX_POSITIONS} positions.`,
  }),
)

export const Route = NamedObject(
  'Route',
  {
    line: Type.Array(Position, { minItems: 2, maxItems: MAX_POINTS }),
    buffer_km: Type.Number({
      minimum: BUFFER_KM.least,
      maximum: BUFFER_KM.most,
      description: 'The distance to either side.',
    }),
  },
  { additionalProperties: false, description: 'A line, and the width of the strip around it.' },
)

const shapes = {
  polygon: Type.Optional(Type.Ref('Region', { description: 'Only incidents in this area.' })),
  route: Type.Optional(Type.Ref('Route', { description: 'Only incidents near this line.' })),
}

/**
 * The query parameters as members of a JSON body, and the shapes that a query string cannot hold.
 */
export function queryBody(
  parameters: Readonly<Record<string, Parameter>>,
  options: { readonly description: string; readonly example: object },
): TSchema {
  const members: TProperties = {}
  for (const [member, parameter] of Object.entries(parameters)) {
    const schema = schemaOf(parameter)
    members[member] = parameter.required ? schema : Type.Optional(schema)
  }
  return Closed({ ...members, ...shapes }, options)
}

/** A list may also be written with commas, as in a query string. */
function schemaOf({ description, values, several, most = MAX_LIST_VALUES, number, numbers }: Parameter): TSchema {
  if (number) return Type.Unsafe<number>({ ...number, description })
  if (numbers) {
    const list = Type.Array(Type.Number(), { minItems: numbers, maxItems: numbers })
    return Type.Union([list, Type.String()], { description })
  }
  const value = values ? OneOf(values) : Type.String()
  if (!several) return { ...value, description }
  const list = Type.Array(value, { minItems: 1, maxItems: most })
  return Type.Union([list, Type.String()], { description })
}

const Figure = (description: string) => Nullable(Count(description))

export const Location = NamedObject('Location', {
  place: Nullable(Text('The settlement, road or landmark, if known.')),
  precision: OneOf(PRECISIONS, 'The precision of the location.'),
  radius_km: Nullable(Type.Number({ minimum: 0, description: 'The incident lies within this distance of the point.' })),
  state_code: Text('The ISO 3166-2 code, such as `NG-KD`.'),
  lga_code: Nullable(Text('The code, such as `NG-KD-CHIKUN`.')),
  lga_basis: Nullable(OneOf(LGA_BASES, 'The source of the LGA: reported, from its boundary, or estimated.')),
})

export const ConfidenceReason = NamedObject('ConfidenceReason', {
  reason: Type.String(),
  value: Nullable(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
  weight: Type.Number({ description: 'The amount added to the confidence.' }),
})

export const Source = NamedObject('Source', {
  url: Nullable(Type.String({ format: 'uri' })),
  publisher: Type.String(),
  published_at: Nullable(Time('When the source was published.')),
})

export const Casualties = NamedObject(
  'Casualties',
  { killed: Figure('Dead.'), injured: Figure('Injured.'), abducted: Figure('Abducted.') },
  { description: 'An unknown figure is null, never 0.' },
)

export const ReportedCasualties = NamedObject('ReportedCasualties', {
  source: Text('Who gives these figures.'),
  killed: Figure('Dead.'),
  injured: Figure('Injured.'),
  abducted: Figure('Abducted.'),
})

export const Incident = NamedObject('Incident', {
  id: Type.String({ pattern: '^inc_[0-9a-z]{26}$', description: 'Opaque.' }),
  type: OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'),
  category: OneOf(CATEGORY_NAMES),
  severity: OneOf(SEVERITIES),
  state: Text('The name of the Nigerian state.'),
  lga: Nullable(Text('The local government area, if known.')),
  lat: Type.Number({ description: 'Latitude in decimal degrees.' }),
  lng: Type.Number({ description: 'Longitude in decimal degrees.' }),
  location: Type.Ref('Location'),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'The confidence of the service in the report.' }),
  confidence_reasons: Type.Array(Type.Ref('ConfidenceReason'), { description: 'The reasons for the confidence.' }),
  summary: Text('One or two sentences of plain text.'),
  sources: Type.Array(Type.Ref('Source')),
  dataset: Type.Optional(Text('The data set that it was imported from, such as `ucdp`; absent otherwise.')),
  attribution: Type.Optional(Text('How the data set asks to be credited; credit it where you publish the incident.')),
  casualties: Type.Ref('Casualties'),
  casualties_reported: Type.Optional(
    Type.Array(Type.Ref('ReportedCasualties'), {
      description: 'The figures of each source, where they are known apart. `casualties` are those that hold.',
    }),
  ),
  occurred_at: Time('When it happened.'),
  occurred_until: Type.Optional(Time('When an event that lasted ended.')),
  time_precision: OneOf(TIME_PRECISIONS, 'The precision of the time.'),
  reported_at: Time('When it reached the service.'),
  confirmed_at: Nullable(Time('When an operator confirmed it.')),
  published_at: Nullable(Time('When it was published; for imported history, the day it happened.')),
  updated_at: Time('When this version was created.'),
  status: OneOf(STATUSES),
  version: Type.Integer({ minimum: 1, description: 'The version, which grows with each correction.' }),
})

export const meta = Type.Object({
  as_of: Time('When the last event included in this response was committed.'),
  seq: Count('The number of that event in the log.'),
  position: Text('Where the log was then. Opaque; send it as `after` or `Last-Event-ID` to go on from here.'),
  newest_published_at: Nullable(Time('The newest publication in the whole feed, regardless of the filter.')),
  in_step_at: Time(
    'When this node was last in step with the log: it contained every event committed before. Normally a second ago at most.',
  ),
})

const paging = {
  has_more: Flag('Whether there is a next page.'),
  next_cursor: Nullable(Text('Send it as `cursor` to get the next page.')),
  meta,
}

export const IncidentList = NamedObject('IncidentList', { data: Type.Array(Type.Ref('Incident')), ...paging })

NamedObject(
  'IncidentFeatures',
  {
    type: OneOf(['FeatureCollection']),
    features: Type.Array(
      Type.Object({
        type: OneOf(['Feature']),
        id: Type.String(),
        geometry: Type.Object({
          type: OneOf(['Point']),
          coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Longitude, latitude.' }),
        }),
        properties: Type.Object({}, { description: 'The same flat fields as the columns of the CSV.' }),
      }),
    ),
    ...paging,
  },
  { description: 'GeoJSON (RFC 7946).' },
)

const formats = {
  [FORMATS.geojson]: Type.Ref('IncidentFeatures'),
  [FORMATS.csv]: Text(
    'RFC 4180, with a header row. Text that a spreadsheet would execute is prefixed with an apostrophe.',
  ),
  [FORMATS.ndjson]: Text('One incident per line, as JSON.'),
}

export const listIncidents = endpoint('listIncidents', 'GET /v1/incidents', {
  sample: { state: 'Kaduna', since: '7d', limit: '5' },
  aliases: ['/incidents'],
  summary: 'List incidents',
  description:
    'Lists the incidents that match all filters, newest first. Unknown, repeated or malformed parameters are refused, never ignored. ' +
    'Follow `next_cursor` (or the `Link` header) for more pages: each match appears exactly once, even while new incidents arrive. ' +
    'The format is JSON, GeoJSON, CSV or NDJSON, chosen by `Accept` or `format`.',
  query: { ...FILTER_PARAMETERS, ...PAGING_PARAMETERS, ...NEWNESS_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'A page of incidents.',
    schema: Type.Ref('IncidentList'),
    alternatives: formats,
    headers: {
      Link: 'The next page, as `rel="next"`, in every format.',
    },
  },
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS, 'invalid_cursor', 'cursor_of_another_query', 'not_acceptable'],
})

export const IncidentQuery = Named(
  'IncidentQuery',
  queryBody(
    { ...FILTER_PARAMETERS, ...PAGING_PARAMETERS },
    {
      description: 'The parameters of the list as JSON, and two filters more: `polygon` and `route`.',
      example: { since: '30d', min_severity: 'high', route: { line: EXAMPLE_ROAD, buffer_km: 5 }, limit: 20 },
    },
  ),
)

export const queryIncidents = endpoint('queryIncidents', 'POST /v1/incidents/query', {
  summary: 'List incidents in a polygon or along a road',
  description:
    'The same list, with the same parameters as members of a JSON object (several values as arrays) and two filters that a query string cannot hold: ' +
    '`polygon` and `route`, as in the filter of a watch. It only reads: publishable keys may use it. ' +
    'For the next page, send the same body with the `cursor` of `next_cursor`.',
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

export const readIncident = endpoint('readIncident', 'GET /v1/incidents/{id}', {
  aliases: ['/incidents/{id}'],
  summary: 'Read one incident',
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  query: { fields: { ...FIELDS_PARAMETER, description: 'Only these members, and `id`.' } },
  requestHeaders: ['If-None-Match'],
  response: ok('The incident.', Type.Ref('Incident')),
  problems: ['merged', 'retracted'],
})

NamedObject('Correction', {
  change: OneOf(['published', 'corrected', 'restored']),
  version: Type.Integer({ minimum: 1, description: 'The version that the change produced.' }),
  at: Time('When it happened.'),
  fields: Type.Array(Type.String(), { description: 'The names of the fields that a correction changed.' }),
})

export const listCorrections = endpoint('listCorrections', 'GET /v1/incidents/{id}/history', {
  summary: "Read an incident's corrections",
  description:
    'The publication and all later corrections, oldest first. Imported history has no entry before its first correction.',
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  response: ok('All entries.', Type.Object({ data: Type.Array(Type.Ref('Correction')) })),
  problems: ['merged', 'retracted'],
})
