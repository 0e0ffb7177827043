import { LOCATION_UNCERTAINTY_KM } from '../../../domain/near-duplicates.ts'
import type { CoarsePoint } from '../../../domain/redaction.ts'
import type { Geography } from '../../../geo/geography.ts'

/** The centre of the LGA; without one, the mean of the centres of the state's LGAs. */
export function coarsePointIn({ places }: Geography): CoarsePoint {
  return ({ lga_code, state_code }) => {
    const lga = places.lgas.find(({ code }) => code === lga_code)
    if (lga !== undefined)
      return { lat: lga.lat, lng: lga.lng, precision: 'lga', radius_km: LOCATION_UNCERTAINTY_KM.lga }
    const lgas = places.lgas.filter(({ state }) => state.code === state_code)
    return {
      lat: meanOf(lgas.map(({ lat }) => lat)),
      lng: meanOf(lgas.map(({ lng }) => lng)),
      precision: 'state',
      radius_km: LOCATION_UNCERTAINTY_KM.state,
    }
  }
}

function meanOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.round(mean * 1e4) / 1e4
}
