import { type LgaRecord, lgaRecords, stateRecords } from '../../src/geo/data.ts'

export type Position = [number, number]

export interface FeatureRecord {
  type: 'Feature'
  properties: Record<string, unknown>
  geometry: { type: string; coordinates: unknown }
}

/**
 * A substitute for a boundary file: each LGA is its known box, or a small one around its centre.
 */
export function boxFeatures(
  properties: (lga: LgaRecord, stateName: string) => Record<string, unknown>,
): FeatureRecord[] {
  const names = new Map(stateRecords.map(({ code, name }) => [code, name]))
  return lgaRecords.map((lga) => {
    const [west, south, east, north] = lga.box ?? [lga.lng - 0.05, lga.lat - 0.05, lga.lng + 0.05, lga.lat + 0.05]
    return {
      type: 'Feature',
      properties: properties(lga, names.get(lga.state)!),
      geometry: { type: 'Polygon', coordinates: [square(west, south, east, north)] },
    }
  })
}

export function square(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

export function collection(features: readonly unknown[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features })
}
