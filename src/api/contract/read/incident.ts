import Type from 'typebox'
import { LGA_BASES, PRECISIONS, STATUSES, TIME_PRECISIONS } from '../../../domain/incident.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const Count = (description: string) => Nullable(Type.Integer({ minimum: 0, description }))

export const Location = Named(
  'Location',
  Type.Object({
    place: Nullable(Type.String({ description: 'The settlement, road or landmark, if known.' })),
    precision: OneOf(PRECISIONS, 'The precision of the location.'),
    radius_km: Nullable(
      Type.Number({ minimum: 0, description: 'The incident lies within this distance of the point.' }),
    ),
    state_code: Type.String({ description: 'The ISO 3166-2 code, such as `NG-KD`.' }),
    lga_code: Nullable(Type.String({ description: 'The code, such as `NG-KD-CHIKUN`.' })),
    lga_basis: Nullable(OneOf(LGA_BASES, 'The source of the LGA: reported, from its boundary, or estimated.')),
  }),
)

export const ConfidenceReason = Named(
  'ConfidenceReason',
  Type.Object({
    reason: Type.String(),
    value: Nullable(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
    weight: Type.Number({ description: 'The amount added to the confidence.' }),
  }),
)

export const Source = Named(
  'Source',
  Type.Object({
    url: Nullable(Type.String({ format: 'uri' })),
    publisher: Type.String(),
    published_at: Nullable(Time('When the source was published.')),
  }),
)

export const Casualties = Named(
  'Casualties',
  Type.Object(
    { killed: Count('Dead.'), injured: Count('Injured.'), abducted: Count('Abducted.') },
    { description: 'An unknown figure is null, never 0.' },
  ),
)

export const ReportedCasualties = Named(
  'ReportedCasualties',
  Type.Object({
    source: Type.String({ description: 'Who gives these figures.' }),
    killed: Count('Dead.'),
    injured: Count('Injured.'),
    abducted: Count('Abducted.'),
  }),
)

export const Incident = Named(
  'Incident',
  Type.Object({
    id: Type.String({ pattern: '^inc_[0-9a-z]{26}$', description: 'Opaque.' }),
    type: OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'),
    category: OneOf(CATEGORY_NAMES),
    severity: OneOf(SEVERITIES),
    state: Type.String({ description: 'The name of the Nigerian state.' }),
    lga: Nullable(Type.String({ description: 'The local government area, if known.' })),
    lat: Type.Number({ description: 'Latitude in decimal degrees.' }),
    lng: Type.Number({ description: 'Longitude in decimal degrees.' }),
    location: Type.Ref('Location'),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'The confidence of the service in the report.' }),
    confidence_reasons: Type.Array(Type.Ref('ConfidenceReason'), { description: 'The reasons for the confidence.' }),
    summary: Type.String({ description: 'One or two sentences of plain text.' }),
    sources: Type.Array(Type.Ref('Source')),
    dataset: Type.Optional(
      Type.String({ description: 'The data set that it was imported from, such as `ucdp`; absent otherwise.' }),
    ),
    attribution: Type.Optional(
      Type.String({ description: 'How the data set asks to be credited; credit it where you publish the incident.' }),
    ),
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
  }),
)

export const meta = Type.Object({
  as_of: Time('When the last event included in this response was committed.'),
  seq: Type.Integer({ minimum: 0, description: 'The number of that event in the log.' }),
  newest_published_at: Nullable(Time('The newest publication in the whole feed, regardless of the filter.')),
  in_step_at: Time(
    'When this node was last in step with the log: it contained every event committed before. Normally a second ago at most.',
  ),
})

const paging = {
  has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  next_cursor: Nullable(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
  meta,
}

export const IncidentList = Named('IncidentList', Type.Object({ data: Type.Array(Type.Ref('Incident')), ...paging }))

export const IncidentFeatures = Named(
  'IncidentFeatures',
  Type.Object(
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
  ),
)
