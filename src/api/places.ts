import Type from 'typebox'
import { type FieldError, invalidParameters, Problem } from '../domain/errors.ts'
import { LGA_BASES, PRECISIONS } from '../domain/incident.ts'
import { MATCHES, MEANINGS, type Places, RELATIONS } from '../domain/places.ts'
import type { NumberBounds } from '../filter/parameters.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import type { PlaceScope } from '../geo/finding/candidates.ts'
import { foundPlaces } from '../geo/finding/find-place.ts'
import type { Locate } from '../geo/geography.ts'
import { parseDecimal } from '../lib/text.ts'
import { BOUNDARIES } from './caching.ts'
import { endpointsOf, ok } from './contract/endpoint.ts'
import { Flag, NamedObject, Nullable, OneOf, Text } from './contract/schema.ts'
import { parametersOf, textsOf } from './request.ts'
import { CachedBody, sendBytes } from './response.ts'
import type { Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Places', scope: 'read' })

const state = {
  state: Type.String(),
  state_code: Text('The ISO 3166-2 code, such as `NG-KD`.'),
}
const point = { lat: Type.Number(), lng: Type.Number() }

export const State = NamedObject('State', { code: Type.String(), name: Type.String() })

export const Lga = NamedObject('Lga', {
  code: Text('The code, such as `NG-KD-CHIKUN`.'),
  name: Type.String(),
  ...state,
  ...point,
})

export const LocatedPoint = NamedObject('LocatedPoint', {
  ...state,
  lga: Type.String(),
  lga_code: Type.String(),
  lga_basis: OneOf(LGA_BASES, '`boundary` if the operator has installed boundaries, otherwise `estimated`.'),
})

export const FoundPlace = NamedObject('FoundPlace', {
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
      text: Text('The words of the query.'),
    },
    { description: 'What the place was matched by, and how.' },
  ),
  relation: OneOf(
    RELATIONS,
    'What the query says of the name: `near` it, `between` it and another, on a `road` named after it, in a `part` of it (a village in …), `away` from it, or `at` it. All but `at` widen the radius.',
  ),
  rival: Flag('The query may mean this place as well as the first.'),
})

export const FeatureCollection = NamedObject(
  'FeatureCollection',
  { type: OneOf(['FeatureCollection']), features: Type.Array(Type.Unknown()) },
  { description: 'GeoJSON (RFC 7946): polygons with their `code` and `name`, or roads with their `class`.' },
)

const LATITUDE = { type: 'number', minimum: -90, maximum: 90 } as const satisfies NumberBounds
const LONGITUDE = { type: 'number', minimum: -180, maximum: 180 } as const satisfies NumberBounds

const listStates = endpoint('listStates', 'GET /v1/places/states', {
  summary: 'List the states',
  description: 'The 36 states and the Federal Capital Territory.',
  response: ok('All 37.', Type.Object({ data: Type.Array(Type.Ref('State')) })),
})

const listLgas = endpoint('listLgas', 'GET /v1/places/lgas', {
  sample: { state: 'Kaduna' },
  summary: 'List the local government areas',
  query: {
    state: {
      description: 'Only LGAs of these states; names, ISO codes or known aliases.',
      example: 'Kaduna',
      several: true,
    },
  },
  response: ok('All 774, or those of the requested states.', Type.Object({ data: Type.Array(Type.Ref('Lga')) })),
  problems: ['too_many_values'],
})

export const locatePoint = endpoint('locatePoint', 'GET /v1/places/locate', {
  summary: 'Find the state and LGA of a point',
  query: {
    lat: { description: 'Latitude in decimal degrees.', example: '10.45', required: true, number: LATITUDE },
    lng: { description: 'Longitude in decimal degrees.', example: '7.34', required: true, number: LONGITUDE },
  },
  response: ok('The state and LGA of the point.', Type.Ref('LocatedPoint')),
  problems: ['outside_nigeria'],
})

const searchPlaces = endpoint('searchPlaces', 'GET /v1/places/search', {
  summary: 'Find a place by its name',
  description:
    'Searches settlements, LGAs and states by free text, such as `Gonin Gora, Chikun LGA, Kaduna State`. Best match first. `meaning` says whether one place is meant: a name that several fit, or that is only similar, is a question.',
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
})

const boundaries = (what: string) => ({
  status: 200,
  description: `The boundaries of ${what}.`,
  schema: Type.Ref('FeatureCollection'),
  contentType: 'application/geo+json',
  headers: { ETag: 'Send it as `If-None-Match` to get 304 while nothing has changed.' },
})

const stateBoundaries = endpoint('stateBoundaries', 'GET /v1/places/states.geojson', {
  summary: 'Boundaries of the states',
  description: 'Simplified, for drawing a map.',
  requestHeaders: ['If-None-Match'],
  response: boundaries('the states'),
})

const lgaBoundaries = endpoint('lgaBoundaries', 'GET /v1/places/lgas.geojson', {
  summary: 'Boundaries of the LGAs',
  description: 'Available if the operator has installed them (`LGA_BOUNDARIES`); otherwise 404.',
  requestHeaders: ['If-None-Match'],
  response: boundaries('the LGAs'),
  problems: ['not_found'],
})

const roadLines = endpoint('roadLines', 'GET /v1/places/roads.geojson', {
  summary: 'Roads',
  description:
    'Lines with their `class` (motorway, trunk, primary, secondary, tertiary or other), `ref` and `name`. Available if the operator has installed them (`MAP_ROADS`); otherwise 404.',
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The roads.',
    schema: Type.Ref('FeatureCollection'),
    contentType: 'application/geo+json',
  },
  problems: ['not_found'],
})

const GEOJSON = LAYOUTS.geojson.contentType

export function placeRoutes(router: Router): void {
  const { places, locate, findPlace, statesGeoJson, lgasGeoJson, roadsGeoJson } = router.environment.geography
  const stateShapes = new CachedBody(statesGeoJson)
  const lgaShapes = lgasGeoJson && new CachedBody(lgasGeoJson)
  const roads = roadsGeoJson && new CachedBody(roadsGeoJson)

  router.add(listStates, () => ({ data: places.states }))

  router.add(listLgas, ({ request }) => {
    const { filter } = parametersOf(request, listLgas, places)
    return { data: places.lgas.filter(({ state }) => filter.states?.includes(state.code) ?? true).map(lgaResponse) }
  })

  router.add(locatePoint, ({ request }) => {
    const text = textsOf(request, locatePoint)
    return locatedPoint(locate, ...parsePoint(text('lat'), text('lng')))
  })

  router.add(searchPlaces, ({ request }) => {
    const { text, filter } = parametersOf(request, searchPlaces, places)
    const found = foundPlaces(findPlace(parseSearch(text('q')), parseArea(filter.states, filter.lgas)))
    return { data: found.places, meaning: found.meaning }
  })

  router.add(stateBoundaries, ({ request, reply }) => sendBytes(request, reply, stateShapes, GEOJSON, BOUNDARIES))

  router.add(lgaBoundaries, ({ request, reply }) => {
    if (lgaShapes === null)
      throw new Problem('not_found', 'The operator of this service has not installed LGA boundaries.')
    return sendBytes(request, reply, lgaShapes, GEOJSON, BOUNDARIES)
  })

  router.add(roadLines, ({ request, reply }) => {
    if (roads === null) throw new Problem('not_found', 'The operator of this service has not installed roads.')
    return sendBytes(request, reply, roads, GEOJSON, BOUNDARIES)
  })
}

function lgaResponse({ code, name, state, lat, lng }: Places['lgas'][number]) {
  return { code, name, state: state.name, state_code: state.code, lat, lng }
}

/** Returns the state and LGA of a point; throws `outside_nigeria`. */
export function locatedPoint(locate: Locate, lat: number, lng: number) {
  const found = locate(lat, lng)
  if (found.kind === 'located') {
    const { state, lga, basis } = found
    return { state: state.name, state_code: state.code, lga: lga.name, lga_code: lga.code, lga_basis: basis }
  }
  // Swapped coordinates are the most frequent mistake.
  const swapped = Math.abs(lng) <= 90 && locate(lng, lat).kind === 'located'
  throw new Problem(
    'outside_nigeria',
    `${found.message}.${swapped ? ' With the numbers swapped it is in Nigeria: lat is the latitude.' : ''}`,
  )
}

const MAX_SEARCH_LENGTH = 200

export function parseSearch(text: string | null): string {
  if (text !== null && text.length <= MAX_SEARCH_LENGTH) return text
  const message =
    text === null ? 'is missing: give the name of a place' : `may have up to ${MAX_SEARCH_LENGTH} characters`
  throw invalidParameters([{ parameter: 'q', message }])
}

export function parseArea(states: readonly string[] | null, lgas: readonly string[] | null): PlaceScope {
  const errors: FieldError[] = []
  for (const [parameter, codes] of [
    ['state', states],
    ['lga', lgas],
  ] as const) {
    if (codes && codes.length > 1) errors.push({ parameter, message: 'takes one value here, not a list' })
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return { ...(states?.[0] ? { state: states[0] } : {}), ...(lgas?.[0] ? { lga: lgas[0] } : {}) }
}

export function parsePoint(latText: string | null, lngText: string | null): [number, number] {
  const errors: FieldError[] = []
  const lat = parseNumber('lat', latText, 90, errors)
  const lng = parseNumber('lng', lngText, 180, errors)
  if (lat === null || lng === null) throw invalidParameters(errors)
  return [lat, lng]
}

/** Parses a number from -max to max; otherwise adds an error and returns null. */
function parseNumber(name: string, text: string | null, max: number, errors: FieldError[]): number | null {
  const value = text === null ? null : parseDecimal(text)
  if (value !== null && Math.abs(value) <= max) return value
  errors.push({ parameter: name, message: text === null ? 'is missing' : `must be a number from ${-max} to ${max}` })
  return null
}
