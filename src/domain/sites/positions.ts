import type { Site } from './site.ts'

/** Degrees in millionths, kilometres in metres. */
export const PER_DEGREE = 1_000_000
export const PER_KM = 1000
const NUMBERS = 3
const BYTES = 4

type Position = Pick<Site, 'latitude' | 'longitude' | 'radiusKm'>

/** Rounds a position to what is kept of it. */
export function keptPosition({ latitude, longitude, radiusKm }: Position): Position {
  return {
    latitude: Math.round(latitude * PER_DEGREE) / PER_DEGREE,
    longitude: Math.round(longitude * PER_DEGREE) / PER_DEGREE,
    radiusKm: Math.max(1, Math.round(radiusKm * PER_KM)) / PER_KM,
  }
}

/**
 * Packs the positions of sites in 12 bytes each, in their order: latitude, longitude and radius as
 * little-endian integers. Ten thousand rows would take a hundred times as long to read.
 */
export function packPositions(sites: readonly Position[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(sites.length * NUMBERS * BYTES))
  sites.forEach(({ latitude, longitude, radiusKm }, at) => {
    const offset = at * NUMBERS * BYTES
    view.setInt32(offset, Math.round(latitude * PER_DEGREE), true)
    view.setInt32(offset + BYTES, Math.round(longitude * PER_DEGREE), true)
    view.setInt32(offset + 2 * BYTES, Math.round(radiusKm * PER_KM), true)
  })
  return new Uint8Array(view.buffer)
}

/** The numbers as packed: latitude, longitude and radius of each site. */
export function unpackPositions(packed: Uint8Array): Int32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const numbers = new Int32Array(packed.byteLength / BYTES)
  for (let at = 0; at < numbers.length; at++) numbers[at] = view.getInt32(at * BYTES, true)
  return numbers
}

/** The positions of `count` sites from number `from` on. */
export function positionsFrom(packed: Uint8Array, from: number, count: number): Position[] {
  const numbers = unpackPositions(packed.subarray(from * NUMBERS * BYTES, (from + count) * NUMBERS * BYTES))
  return Array.from({ length: numbers.length / NUMBERS }, (_, at) => ({
    latitude: numbers[NUMBERS * at]! / PER_DEGREE,
    longitude: numbers[NUMBERS * at + 1]! / PER_DEGREE,
    radiusKm: numbers[NUMBERS * at + 2]! / PER_KM,
  }))
}
