import type { IncidentType } from '../../domain/taxonomy.ts'
import type { Geography } from '../../geo/geography.ts'
import { type PlacementResult, placeReport } from '../reports/place-report.ts'

export interface TipPlace {
  readonly place: string | null
  readonly state: string | null
  readonly lga: string | null
  readonly lat: number | null
  readonly lng: number | null
  /** The sender was asked which place is meant, and knows only the state or the LGA. */
  readonly areaOnly: boolean
}

/** To about a hundred metres: a phone's own position says more of the sender than of the event. */
const DIGITS = 1000

/**
 * A point counts more than names. A name that is not known is kept as it was written if the state
 * or the LGA is: no tip is lost because a gazetteer lacks a village.
 */
export function placeTip(tip: TipPlace, type: IncidentType, geography: Geography): PlacementResult {
  const { place, state, lga, lat, lng, areaOnly } = tip
  const nowhere = { type, place: null, state: null, lga: null, lat: null, lng: null, precision: null }
  if (lat !== null || lng !== null)
    return placeReport({ ...nowhere, place, lat: rounded(lat), lng: rounded(lng) }, geography)
  const named = { ...nowhere, state, lga }
  const hasArea = state !== null || lga !== null
  const byName = areaOnly && hasArea ? null : placeReport({ ...named, place }, geography)
  if (byName !== null && !(hasArea && place !== null && isUnknown(byName))) return byName
  const byArea = placeReport(named, geography)
  if ('errors' in byArea) return byArea
  return { placement: { ...byArea.placement, location: { ...byArea.placement.location, place } } }
}

/** Nothing of that name, and nothing like it. */
function isUnknown(result: PlacementResult): boolean {
  return 'errors' in result && result.errors.every(({ pointer, did_you_mean }) => pointer === '/place' && !did_you_mean)
}

function rounded(degrees: number | null): number | null {
  return degrees === null ? null : Math.round(degrees * DIGITS) / DIGITS
}
