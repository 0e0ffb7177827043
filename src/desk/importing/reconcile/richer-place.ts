import { type Incident, type LgaBasis, PRECISIONS } from '../../../domain/incident.ts'
import type { PreparedReport } from '../prepare-row.ts'

type Place = Pick<Incident, 'state' | 'lga' | 'lat' | 'lng' | 'location'>

/** How much an LGA is worth: named by the source, found by its boundary, estimated, unknown. */
const BASIS_RANK: Readonly<Record<LgaBasis, number>> = { reported: 3, boundary: 2, estimated: 1 }

/**
 * The row's place, with what it lacks from the stored one. A place known less exactly, or moved to
 * another LGA by an estimate, does not replace the stored one at all.
 */
export function richerPlace(ours: Incident, theirs: Incident, row: PreparedReport, poorer: Set<string>): Place {
  const precisionIsGiven = row.report.precision !== null || row.report.lat === null
  const isCoarser =
    precisionIsGiven && PRECISIONS.indexOf(theirs.location.precision) > PRECISIONS.indexOf(ours.location.precision)
  const lgaIsPoorer = rankOf(theirs) < rankOf(ours)
  const isElsewhere = theirs.location.lga_code !== null && theirs.location.lga_code !== ours.location.lga_code
  const isMoved = theirs.lat !== ours.lat || theirs.lng !== ours.lng
  const namesOtherState = row.report.state !== null && theirs.state !== ours.state
  if (isCoarser || (lgaIsPoorer && isElsewhere && isMoved && !namesOtherState)) {
    poorer.add('location')
    return placeOf(ours)
  }

  const keepsLga = lgaIsPoorer && !namesOtherState
  const keepsState = row.report.state === null && theirs.state !== ours.state && !isMoved
  const keepsPrecision =
    !precisionIsGiven &&
    (ours.location.precision !== theirs.location.precision || ours.location.radius_km !== theirs.location.radius_km)
  const keepsRadius =
    row.radiusKm === null &&
    ours.location.precision === theirs.location.precision &&
    ours.location.radius_km !== theirs.location.radius_km
  const keepsName = theirs.location.place === null && ours.location.place !== null
  if (keepsLga || keepsState) poorer.add('lga')
  if (keepsPrecision || keepsRadius) poorer.add('precision')
  if (keepsName) poorer.add('place')
  // A point that stands for a state lies in some LGA: that says nothing.
  const isVoid = keepsPrecision && ours.location.precision === 'state' && theirs.location.lga_basis !== 'reported'
  const area = keepsLga || keepsState || (isVoid && !namesOtherState) ? ours : theirs
  return {
    state: area.state,
    lga: area.lga,
    lat: theirs.lat,
    lng: theirs.lng,
    location: {
      place: (keepsName ? ours : theirs).location.place,
      precision: (keepsPrecision ? ours : theirs).location.precision,
      radius_km: (keepsPrecision || keepsRadius ? ours : theirs).location.radius_km,
      state_code: area.location.state_code,
      lga_code: area.location.lga_code,
      lga_basis: area.location.lga_basis,
    },
  }
}

function rankOf({ location: { lga_basis } }: Incident): number {
  return lga_basis === null ? 0 : BASIS_RANK[lga_basis]
}

function placeOf({ state, lga, lat, lng, location }: Incident): Place {
  return { state, lga, lat, lng, location }
}
