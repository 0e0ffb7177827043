import Type from 'typebox'
import { LGA_BASES, PRECISIONS } from '../../../domain/incident.ts'
import { MATCHES, MEANINGS, RELATIONS } from '../../../domain/places.ts'
import type { NumberBounds } from '../../../filter/filter/parameters.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf } from '../schema.ts'

const state = {
  state: Type.String(),
  state_code: Type.String({ description: 'The ISO 3166-2 code, such as `NG-KD`.' }),
}
const point = { lat: Type.Number(), lng: Type.Number() }

export const State = Named('State', Type.Object({ code: Type.String(), name: Type.String() }))

export const Lga = Named(
  'Lga',
  Type.Object({
    code: Type.String({ description: 'The code, such as `NG-KD-CHIKUN`.' }),
    name: Type.String(),
    ...state,
    ...point,
  }),
)

export const LocatedPoint = Named(
  'LocatedPoint',
  Type.Object({
    ...state,
    lga: Type.String(),
    lga_code: Type.String(),
    lga_basis: OneOf(LGA_BASES, '`boundary` if the operator has installed boundaries, otherwise `estimated`.'),
  }),
)

export const FoundPlace = Named(
  'FoundPlace',
  Type.Object({
    name: Type.String(),
    ...point,
    precision: OneOf(PRECISIONS, 'The precision of the point.'),
    radius_km: Type.Number({ minimum: 0, description: 'The place lies within this distance of the point.' }),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'How well the place matches the query.' }),
    ...state,
    lga: Nullable(Type.String()),
    lga_code: Nullable(Type.String()),
    matched: Type.Object(
      {
        how: OneOf(
          MATCHES,
          '`exact` by its name, `alias` by another name of the place, `similar` by similar letters only.',
        ),
        text: Type.String({ description: 'The words of the query.' }),
      },
      { description: 'What the place was matched by, and how.' },
    ),
    relation: OneOf(
      RELATIONS,
      'What the query says of the name: `near` it, `between` it and another, on a `road` named after it, in a `part` of it (a village in …), `away` from it, or `at` it. All but `at` widen the radius.',
    ),
    rival: Type.Boolean({ description: 'The query may mean this place as well as the first.' }),
  }),
)

export const FeatureCollection = Named(
  'FeatureCollection',
  Type.Object(
    { type: OneOf(['FeatureCollection']), features: Type.Array(Type.Unknown()) },
    { description: 'GeoJSON (RFC 7946): polygons with their `code` and `name`, or roads with their `class`.' },
  ),
)

const LATITUDE = { type: 'number', minimum: -90, maximum: 90 } as const satisfies NumberBounds
const LONGITUDE = { type: 'number', minimum: -180, maximum: 180 } as const satisfies NumberBounds

export const listStates = endpoint({
  id: 'listStates',
  method: 'GET',
  path: '/v1/places/states',
  tag: 'Places',
  summary: 'List the states',
  description: 'The 36 states and the Federal Capital Territory.',
  scope: 'read',
  query: {},
  response: { status: 200, description: 'All 37.', schema: Type.Object({ data: Type.Array(Type.Ref('State')) }) },
  problems: ['invalid_parameter'],
})

export const listLgas = endpoint({
  id: 'listLgas',
  method: 'GET',
  path: '/v1/places/lgas',
  sample: { state: 'Kaduna' },
  tag: 'Places',
  summary: 'List the local government areas',
  scope: 'read',
  query: {
    state: {
      description: 'Only LGAs of these states; names, ISO codes or known aliases.',
      example: 'Kaduna',
      several: true,
    },
  },
  response: {
    status: 200,
    description: 'All 774, or those of the requested states.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Lga')) }),
  },
  problems: ['invalid_parameter', 'too_many_values'],
})

export const locatePoint = endpoint({
  id: 'locatePoint',
  method: 'GET',
  path: '/v1/places/locate',
  tag: 'Places',
  summary: 'Find the state and LGA of a point',
  scope: 'read',
  query: {
    lat: { description: 'Latitude in decimal degrees.', example: '10.45', required: true, number: LATITUDE },
    lng: { description: 'Longitude in decimal degrees.', example: '7.34', required: true, number: LONGITUDE },
  },
  response: { status: 200, description: 'The state and LGA of the point.', schema: Type.Ref('LocatedPoint') },
  problems: ['invalid_parameter', 'outside_nigeria'],
})

export const searchPlaces = endpoint({
  id: 'searchPlaces',
  method: 'GET',
  path: '/v1/places/search',
  tag: 'Places',
  summary: 'Find a place by its name',
  description:
    'Searches settlements, LGAs and states by free text, such as `Gonin Gora, Chikun LGA, Kaduna State`. Best match first. `meaning` says whether one place is meant: a name that several fit, or that is only similar, is a question.',
  scope: 'read',
  query: {
    q: {
      description: 'The place, as a person would write it; up to 200 characters.',
      example: 'Rijana',
      required: true,
    },
    state: { description: 'Only within this state.', example: 'Kaduna' },
    lga: { description: 'Only within this LGA.', example: 'Kachia' },
  },
  response: {
    status: 200,
    description: 'The matching places.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('FoundPlace')),
      meaning: OneOf(
        MEANINGS,
        '`one`: the first is meant; `several`: the first or one with `rival`; `similar`: only similar names are known; `none`.',
      ),
    }),
  },
  problems: ['invalid_parameter'],
})

const boundaries = (what: string) => ({
  status: 200,
  description: `The boundaries of ${what}.`,
  schema: Type.Ref('FeatureCollection'),
  contentType: 'application/geo+json',
  headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
})

export const stateBoundaries = endpoint({
  id: 'stateBoundaries',
  method: 'GET',
  path: '/v1/places/states.geojson',
  tag: 'Places',
  summary: 'Boundaries of the states',
  description: 'Simplified, for drawing a map.',
  scope: 'read',
  query: {},
  requestHeaders: ['If-None-Match'],
  response: boundaries('the states'),
  problems: ['invalid_parameter'],
})

export const lgaBoundaries = endpoint({
  id: 'lgaBoundaries',
  method: 'GET',
  path: '/v1/places/lgas.geojson',
  tag: 'Places',
  summary: 'Boundaries of the LGAs',
  description: 'Available if the operator has installed them (`LGA_BOUNDARIES`); otherwise 404.',
  scope: 'read',
  query: {},
  requestHeaders: ['If-None-Match'],
  response: boundaries('the LGAs'),
  problems: ['invalid_parameter', 'not_found'],
})

export const roadLines = endpoint({
  id: 'roadLines',
  method: 'GET',
  path: '/v1/places/roads.geojson',
  tag: 'Places',
  summary: 'Roads',
  description:
    'Lines with their `class` (motorway, trunk, primary, secondary, tertiary or other), `ref` and `name`. Available if the operator has installed them (`MAP_ROADS`); otherwise 404.',
  scope: 'read',
  query: {},
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The roads.',
    schema: Type.Ref('FeatureCollection'),
    contentType: 'application/geo+json',
    headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter', 'not_found'],
})
