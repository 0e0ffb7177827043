import {
  lgaBoundaries,
  listLgas,
  listStates,
  locatePoint,
  roadLines,
  searchPlaces,
  stateBoundaries,
} from '../../contract/read/places.ts'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import type { Lga } from '../../domain/places.ts'
import { LAYOUTS } from '../../formats/layouts.ts'
import { foundPlaces } from '../../geo/finding/found-place.ts'
import type { PlaceScope } from '../../geo/finding/place-candidate.ts'
import type { Locate } from '../../geo/locating/locate.ts'
import { parametersOf, parseNumber } from '../requests/parameters.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { CACHING_FOR_A_WEEK, sendBytes } from '../responses/send-bytes.ts'
import type { Router } from '../router.ts'

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
    const { text } = parametersOf(request, locatePoint, places)
    return locatePointIn(locate, ...parsePoint(text('lat'), text('lng')))
  })

  router.add(searchPlaces, ({ request }) => {
    const { text, filter } = parametersOf(request, searchPlaces, places)
    const found = foundPlaces(findPlace(parseSearch(text('q')), parseArea(filter.states, filter.lgas)))
    return { data: found.places, meaning: found.meaning }
  })

  router.add(stateBoundaries, ({ request, reply }) =>
    sendBytes(request, reply, stateShapes, GEOJSON, CACHING_FOR_A_WEEK),
  )

  router.add(lgaBoundaries, ({ request, reply }) => {
    if (lgaShapes === null)
      throw new Problem('not_found', 'The operator of this service has not installed LGA boundaries.')
    return sendBytes(request, reply, lgaShapes, GEOJSON, CACHING_FOR_A_WEEK)
  })

  router.add(roadLines, ({ request, reply }) => {
    if (roads === null) throw new Problem('not_found', 'The operator of this service has not installed roads.')
    return sendBytes(request, reply, roads, GEOJSON, CACHING_FOR_A_WEEK)
  })
}

function lgaResponse({ code, name, state, lat, lng }: Lga) {
  return { code, name, state: state.name, state_code: state.code, lat, lng }
}

const MAX_SEARCH_LENGTH = 200

function parseSearch(text: string | null): string {
  if (text !== null && text.length <= MAX_SEARCH_LENGTH) return text
  const message =
    text === null ? 'is missing: give the name of a place' : `may have up to ${MAX_SEARCH_LENGTH} characters`
  throw invalidParameters([{ parameter: 'q', message }])
}

function parseArea(states: readonly string[] | null, lgas: readonly string[] | null): PlaceScope {
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

function parsePoint(latText: string | null, lngText: string | null): [number, number] {
  const errors: FieldError[] = []
  const lat = parseNumber('lat', latText, 90, errors)
  const lng = parseNumber('lng', lngText, 180, errors)
  if (lat === null || lng === null) throw invalidParameters(errors)
  return [lat, lng]
}

function locatePointIn(locate: Locate, lat: number, lng: number) {
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
