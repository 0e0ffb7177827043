import { Problem } from '../../domain/errors.ts'
import type { Lga } from '../../domain/places.ts'
import { LAYOUTS } from '../../formats/layouts.ts'
import { foundPlaces } from '../../geo/finding/found-place.ts'
import {
  lgaBoundaries,
  listLgas,
  listStates,
  locatePoint,
  roadLines,
  searchPlaces,
  stateBoundaries,
} from '../contract/read/places.ts'
import { parametersOf } from '../requests/parameters.ts'
import { parseArea, parsePoint, parseSearch } from '../requests/place-parameters.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { locatedPoint } from '../responses/located-point.ts'
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
    return locatedPoint(locate, ...parsePoint(text('lat'), text('lng')))
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
