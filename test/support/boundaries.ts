import type { Lga } from '../../src/domain/places.ts'

const HALF_SIDE_DEGREES = 0.05

/**
 * Returns a boundary file with a square around each LGA's centre, in the format of geoBoundaries.
 */
export function squaresAround(lgas: readonly Lga[]) {
  const features = lgas.map(({ name, state, lat, lng }) => ({
    type: 'Feature',
    properties: { shapeName: name, state: state.name },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [lng - HALF_SIDE_DEGREES, lat - HALF_SIDE_DEGREES],
          [lng + HALF_SIDE_DEGREES, lat - HALF_SIDE_DEGREES],
          [lng + HALF_SIDE_DEGREES, lat + HALF_SIDE_DEGREES],
          [lng - HALF_SIDE_DEGREES, lat + HALF_SIDE_DEGREES],
          [lng - HALF_SIDE_DEGREES, lat - HALF_SIDE_DEGREES],
        ],
      ],
    },
  }))
  return { type: 'FeatureCollection', features }
}
