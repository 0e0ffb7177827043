import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson'

/** The boundaries of states or LGAs. */
export type Boundaries = FeatureCollection<Polygon | MultiPolygon, { code: string; name: string }>

/** Returns a point for each area's name: the centroid of its largest part. */
export function labelPoints(boundaries: Boundaries): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: boundaries.features.map(({ geometry, properties }): Feature<Point> => {
      const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      const centroids = parts.map(([ring]) => centroidOf(ring!))
      const { at } = centroids.reduce((one, other) => (other.area > one.area ? other : one))
      const name = properties.code === 'NG-FC' ? 'FCT' : properties.name
      return {
        type: 'Feature',
        properties: { code: properties.code, name },
        geometry: { type: 'Point', coordinates: at },
      }
    }),
  }
}

/** Returns the centroid of a ring and its area in square degrees. */
function centroidOf(ring: readonly Position[]): { at: [number, number]; area: number } {
  let [area, x, y] = [0, 0, 0]
  for (let index = 0; index < ring.length - 1; index++) {
    const [x1, y1] = ring[index] as [number, number]
    const [x2, y2] = ring[index + 1] as [number, number]
    const cross = x1 * y2 - x2 * y1
    area += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  if (area === 0) return { at: [ring[0]![0]!, ring[0]![1]!], area: 0 }
  return { at: [x / (3 * area), y / (3 * area)], area: Math.abs(area / 2) }
}
