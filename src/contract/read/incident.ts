import Type from 'typebox'
import { LGA_BASES, PRECISIONS, STATUSES, TIME_PRECISIONS } from '../../domain/incident.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const Count = (description: string) => Nullable(Type.Integer({ minimum: 0, description }))

export const Location = Named(
  'Location',
  Type.Object({
    place: Nullable(Type.String({ description: 'The settlement, road or landmark, where known.' })),
    precision: OneOf(PRECISIONS, 'How precisely the place is known.'),
    radius_km: Nullable(
      Type.Number({ minimum: 0, description: 'The incident lies within this distance of the point.' }),
    ),
    state_code: Type.String({ description: 'ISO 3166-2, as `NG-KD`.' }),
    lga_code: Nullable(Type.String({ description: 'As `NG-KD-CHIKUN`.' })),
    lga_basis: Nullable(OneOf(LGA_BASES, 'How the LGA was found: as reported, by its boundary, or estimated.')),
  }),
)

export const ConfidenceReason = Named(
  'ConfidenceReason',
  Type.Object({
    reason: Type.String(),
    value: Nullable(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
    weight: Type.Number({ description: 'What it adds to the confidence.' }),
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
    { description: 'What is not known is null, never 0.' },
  ),
)

export const Incident = Named(
  'Incident',
  Type.Object({
    id: Type.String({ pattern: '^inc_[0-9a-z]{26}$', description: 'Opaque.' }),
    type: OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'),
    category: OneOf(CATEGORY_NAMES),
    severity: OneOf(SEVERITIES),
    state: Type.String({ description: 'The name of the Nigerian state.' }),
    lga: Nullable(Type.String({ description: 'The local government area, where known.' })),
    lat: Type.Number({ description: 'Latitude in decimal degrees.' }),
    lng: Type.Number({ description: 'Longitude in decimal degrees.' }),
    location: Type.Ref('Location'),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How sure the service is.' }),
    confidence_reasons: Type.Array(Type.Ref('ConfidenceReason'), { description: 'Why it is that sure.' }),
    summary: Type.String({ description: 'One or two sentences of plain text.' }),
    sources: Type.Array(Type.Ref('Source')),
    casualties: Type.Ref('Casualties'),
    occurred_at: Time('When it happened.'),
    time_precision: OneOf(TIME_PRECISIONS, 'How precisely the time is known.'),
    reported_at: Time('When it reached the service.'),
    confirmed_at: Nullable(Time('When an operator confirmed it.')),
    published_at: Nullable(Time('When it was published. Of imported history: the day it happened.')),
    updated_at: Time('When this version was made.'),
    status: OneOf(STATUSES),
    version: Type.Integer({ minimum: 1, description: 'Counts corrections.' }),
  }),
)

export const meta = Type.Object({
  as_of: Time('When the last event that this answer knows of was committed.'),
  seq: Type.Integer({ minimum: 0, description: 'The number of that event in the log.' }),
  newest_published_at: Nullable(Time('The newest publication in the whole feed, whatever the filter.')),
})

const paging = {
  has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  next_cursor: Nullable(Type.String({ description: 'Pass it on as `cursor` for the next page.' })),
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
          properties: Type.Object({}, { description: 'The columns of the CSV: nothing lies inside anything.' }),
        }),
      ),
      ...paging,
    },
    { description: 'GeoJSON (RFC 7946).' },
  ),
)
