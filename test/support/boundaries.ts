import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lga } from '../../src/domain/places.ts'
import { places } from '../../src/geo/places.ts'

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

/** Writes files that only an operator installs; returns the settings that name them. */
export async function geographyFiles(folder: string): Promise<Record<string, string>> {
  const [boundaries, roads] = [join(folder, 'boundaries.geojson'), join(folder, 'roads.geojson')]
  await writeFile(boundaries, JSON.stringify(squaresAround(places.lgas.slice(0, 3))))
  const geometry = {
    type: 'LineString',
    coordinates: [
      [7.49, 9.06],
      [7.44, 10.52],
    ],
  }
  const road = { type: 'Feature', properties: {}, geometry }
  await writeFile(roads, JSON.stringify({ type: 'FeatureCollection', features: [road] }))
  return { LGA_BOUNDARIES: boundaries, MAP_ROADS: roads }
}
