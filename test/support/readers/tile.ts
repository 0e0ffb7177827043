import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

export interface Feature {
  readonly x: number
  readonly y: number
  readonly properties: Readonly<Record<string, string | number | boolean>>
}

/** Reads the points of a tile with Mapbox's decoder. */
export function featuresOf(bytes: Uint8Array | null): Feature[] {
  if (bytes === null) return []
  const { layers } = new VectorTile(new PbfReader(bytes))
  const layer = layers.incidents!
  if (Object.keys(layers).length !== 1 || layer.version !== 2 || layer.extent !== 4096)
    throw new Error('a tile must have only the layer incidents, with version 2 and extent 4096')
  return Array.from({ length: layer.length }, (_, index) => {
    const feature = layer.feature(index)
    const [point] = feature.loadGeometry().flat()
    return { x: point!.x, y: point!.y, properties: { ...feature.properties } as Feature['properties'] }
  })
}

export function countIn(features: readonly Feature[]): number {
  return features.reduce((sum, { properties }) => sum + Number(properties.count ?? 1), 0)
}
