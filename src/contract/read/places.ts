import Type from 'typebox'
import { LGA_BASES, PRECISIONS } from '../../domain/incident.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf } from '../schema.ts'

const state = { state: Type.String(), state_code: Type.String({ description: 'ISO 3166-2, as `NG-KD`.' }) }
const point = { lat: Type.Number(), lng: Type.Number() }

export const State = Named('State', Type.Object({ code: Type.String(), name: Type.String() }))

export const Lga = Named(
  'Lga',
  Type.Object({ code: Type.String({ description: 'As `NG-KD-CHIKUN`.' }), name: Type.String(), ...state, ...point }),
)

export const LocatedPoint = Named(
  'LocatedPoint',
  Type.Object({
    ...state,
    lga: Type.String(),
    lga_code: Type.String(),
    lga_basis: OneOf(LGA_BASES, '`boundary` where the operator has given boundaries, else `estimated`.'),
  }),
)

export const FoundPlace = Named(
  'FoundPlace',
  Type.Object({
    name: Type.String(),
    ...point,
    precision: OneOf(PRECISIONS, 'How precisely the point stands for the place.'),
    radius_km: Type.Number({ minimum: 0, description: 'The place lies within this distance of the point.' }),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'How well it fits what was asked.' }),
    ...state,
    lga: Nullable(Type.String()),
    lga_code: Nullable(Type.String()),
  }),
)

export const FeatureCollection = Named(
  'FeatureCollection',
  Type.Object(
    { type: OneOf(['FeatureCollection']), features: Type.Array(Type.Unknown()) },
    { description: 'GeoJSON (RFC 7946) of polygons, each with its `code` and `name`.' },
  ),
)

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
  tag: 'Places',
  summary: 'List the local government areas',
  scope: 'read',
  query: {
    state: {
      description: 'Only of these states; names, ISO codes or known aliases.',
      example: 'Kaduna',
      several: true,
    },
  },
  response: {
    status: 200,
    description: 'All 774, or those of the states asked for.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Lga')) }),
  },
  problems: ['invalid_parameter'],
})

export const locatePoint = endpoint({
  id: 'locatePoint',
  method: 'GET',
  path: '/v1/places/locate',
  tag: 'Places',
  summary: 'Which state and LGA is this point in',
  scope: 'read',
  query: {
    lat: { description: 'Latitude in decimal degrees.', example: '10.45', required: true },
    lng: { description: 'Longitude in decimal degrees.', example: '7.34', required: true },
  },
  response: { status: 200, description: 'Where the point lies.', schema: Type.Ref('LocatedPoint') },
  problems: ['invalid_parameter', 'outside_nigeria'],
})

export const searchPlaces = endpoint({
  id: 'searchPlaces',
  method: 'GET',
  path: '/v1/places/search',
  tag: 'Places',
  summary: 'Find a place by its name',
  description: 'Settlements, LGAs and states, in free text: `Gonin Gora, Chikun LGA, Kaduna State`. Best first.',
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
    description: 'What it may be.',
    schema: Type.Object({ data: Type.Array(Type.Ref('FoundPlace')) }),
  },
  problems: ['invalid_parameter'],
})

const boundaries = (what: string) => ({
  status: 200,
  description: `The boundaries of ${what}.`,
  schema: Type.Ref('FeatureCollection'),
  contentType: 'application/geo+json',
  headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
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
  response: boundaries('the states'),
  problems: ['invalid_parameter'],
})

export const lgaBoundaries = endpoint({
  id: 'lgaBoundaries',
  method: 'GET',
  path: '/v1/places/lgas.geojson',
  tag: 'Places',
  summary: 'Boundaries of the LGAs',
  description: 'Where the operator has given them (`LGA_BOUNDARIES`); otherwise 404.',
  scope: 'read',
  query: {},
  response: boundaries('the LGAs'),
  problems: ['invalid_parameter', 'not_found'],
})
