import Type from 'typebox'
import { PLACE_KINDS, PLACE_SOURCES } from '../../../domain/places.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, pageParameters, Time } from '../schema.ts'

const name = Type.String({ minLength: 1, maxLength: 120, description: 'The name, as news writes it.' })
const aliases = Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
  maxItems: 50,
  description: 'Old names and other spellings, by which the place is found as well.',
})
const KIND = 'What it is. All but `settlement`, `market` and `camp` are wider than a point.'

export const GazetteerPlace = Named(
  'GazetteerPlace',
  Type.Object({
    id: Type.String({ description: 'The id, such as `plc_01jd8z0c5xqvjv8y2kvhr3w1ad`.' }),
    name,
    aliases,
    kind: OneOf(PLACE_KINDS, KIND),
    lat: Type.Number(),
    lng: Type.Number(),
    state: Nullable(Type.String()),
    lga: Nullable(Type.String()),
    population: Nullable(Type.Integer({ minimum: 0 })),
    radius_km: Nullable(Type.Number({ description: 'Its extent; null for the usual one of its kind.' })),
    source: OneOf(PLACE_SOURCES, 'Who added it: the `desk`, or an import.'),
    source_id: Nullable(Type.String({ description: 'Its id in the file that was imported.' })),
    updated_at: Time('When it was last changed.'),
  }),
)

export const GazetteerList = Named(
  'GazetteerList',
  Type.Object({
    data: Type.Array(Type.Ref('GazetteerPlace')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

export const listPlaces = endpoint({
  id: 'listPlaces',
  method: 'GET',
  path: '/v1/admin/places',
  tag: 'Desk',
  summary: 'List the places that were added',
  description:
    'The places that the desk has added or an operator has imported, by name; the built-in ones are not listed.',
  scope: 'review',
  query: {
    q: { description: 'Only names that begin so, in any case and spelling of accents.', example: 'gonin' },
    kind: { description: 'Only places of this kind.', example: 'forest', values: PLACE_KINDS },
    source: { description: 'Only places of this source.', example: 'desk', values: PLACE_SOURCES },
    ...pageParameters('Places', 200),
  },
  response: { status: 200, description: 'A page of places.', schema: Type.Ref('GazetteerList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const addPlace = endpoint({
  id: 'addPlace',
  method: 'POST',
  path: '/v1/admin/places',
  tag: 'Desk',
  summary: 'Add a place',
  description:
    'Reports and searches find it from then on, on every node within seconds. A place of the same name and kind within 8 km is the same place: add one to give it aliases, or a better point.',
  scope: 'review',
  body: Type.Object(
    {
      name,
      aliases: Type.Optional(aliases),
      kind: Type.Optional(OneOf(PLACE_KINDS, `${KIND} Default: settlement.`)),
      lat: Type.Number({ minimum: -90, maximum: 90 }),
      lng: Type.Number({ minimum: -180, maximum: 180 }),
      population: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 50_000_000 }))),
      radius_km: Type.Optional(Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 200 }))),
    },
    {
      additionalProperties: false,
      example: { name: 'Gonin Gora', aliases: ['Goningora'], kind: 'settlement', lat: 10.4101, lng: 7.4103 },
    },
  ),
  response: { status: 201, description: 'The place.', schema: Type.Ref('GazetteerPlace') },
  problems: ['invalid_body', 'too_many_places'],
})

export const removePlace = endpoint({
  id: 'removePlace',
  method: 'DELETE',
  path: '/v1/admin/places/{id}',
  tag: 'Desk',
  summary: 'Remove a place',
  description: 'Incidents keep their locations. An imported place stays removed when its file is imported again.',
  scope: 'review',
  pathParameters: { id: 'The id of the place.' },
  response: { status: 204, description: 'The place has been removed.', schema: null },
  problems: ['not_found'],
})
