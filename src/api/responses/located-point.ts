import { Problem } from '../../domain/errors.ts'
import type { Locate } from '../../geo/locating/locate.ts'

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
