import type { Lga } from '../../src/domain/places.ts'

const HALF = 0.05

/** A boundary file of our own making: a square around each LGA's centre, named as geoBoundaries names them. */
export function squaresAround(lgas: readonly Lga[]) {
  const features = lgas.map(({ name, state, lat, lng }) => ({
    type: 'Feature',
    properties: { shapeName: name, state: state.name },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [lng - HALF, lat - HALF],
          [lng + HALF, lat - HALF],
          [lng + HALF, lat + HALF],
          [lng - HALF, lat + HALF],
          [lng - HALF, lat - HALF],
        ],
      ],
    },
  }))
  return { type: 'FeatureCollection', features }
}
