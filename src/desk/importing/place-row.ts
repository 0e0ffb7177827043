import type { FieldError } from '../../domain/errors.ts'
import type { State } from '../../domain/places.ts'
import type { Geography } from '../../geo/geography.ts'
import { KM_PER_DEGREE } from '../../lib/geometry.ts'
import { type GivenPlace, locationAt, type PlacementResult, placeReport } from '../reports/place-report.ts'

/** A point at sea farther than this from every LGA is rejected. */
const NEAREST_STATE_KM = 600

/**
 * Places a row. Unlike in a report, names were checked by the data set's editors: where names and
 * our borders disagree, the names count. Unknown names (a state of 1987, an unusual spelling) are
 * ignored, and the coordinates count.
 */
export function placeRow(given: GivenPlace, radiusKm: number | null, geography: Geography): PlacementResult {
  const placementResult = given.lat === null ? placeReport(given, geography) : placeByPoint(given, geography)
  if ('errors' in placementResult || radiusKm === null) return placementResult
  const { placement } = placementResult
  return { placement: { ...placement, location: { ...placement.location, radius_km: radiusKm } } }
}

function placeByPoint(given: GivenPlace, geography: Geography): PlacementResult {
  const { places, locate, basis } = geography
  const lat = given.lat!
  const lng = given.lng!
  const foundState = given.state === null ? null : places.findState(given.state)
  const located = locate(lat, lng)
  const here = located.kind === 'located' ? located : null
  const state = foundState?.kind === 'found' ? foundState.place : (here?.state ?? nearestState(geography, lat, lng))
  if (state === null) return { errors: [outside(lat, lng)] }
  const foundLga = given.lga === null ? null : places.findLga(given.lga, [state.code])
  const named = foundLga?.kind === 'found' ? foundLga.place : null
  const precision = given.precision ?? 'settlement'
  const lga = named ?? (precision === 'state' || here?.state !== state ? null : here.lga)
  return { placement: locationAt({ lat, lng, state, lga, precision, place: given.place }, named ? 'reported' : basis) }
}

function nearestState({ places }: Geography, lat: number, lng: number): State | null {
  const kmTo = (lga: { lat: number; lng: number }) => Math.hypot(lga.lat - lat, lga.lng - lng) * KM_PER_DEGREE
  const nearest = places.lgas.reduce((one, other) => (kmTo(one) <= kmTo(other) ? one : other))
  return kmTo(nearest) <= NEAREST_STATE_KM ? nearest.state : null
}

function outside(lat: number, lng: number): FieldError {
  return { pointer: '/lat', message: `${lat}, ${lng} lies far from Nigeria` }
}
