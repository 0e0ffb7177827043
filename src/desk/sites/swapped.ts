import type { Site } from '../../domain/sites.ts'
import { KM_PER_DEGREE } from '../../lib/geometry.ts'

export type IsInNigeria = (lat: number, lng: number) => boolean

type Circle = Pick<Site, 'latitude' | 'longitude' | 'radiusKm'>

/** Sites that are looked at, spread over the list: they are right or wrong together. */
const SAMPLE = 100
const DIRECTIONS = Array.from({ length: 8 }, (_, eighth) => (eighth * Math.PI) / 4)

/**
 * Many positions in Nigeria lie within its box the other way round too, some of them in the sea or
 * abroad. If most of the sites could never have an incident near them, and each of those would lie
 * in Nigeria the other way round, says that latitude and longitude are swapped; otherwise returns
 * null.
 */
export function swappedFault(sites: readonly Circle[], isInNigeria: IsInNigeria): string | null {
  const step = Math.max(1, Math.ceil(sites.length / SAMPLE))
  const sample = sites.filter((_, at) => at % step === 0)
  const idle = sample.filter((site) => !reachesNigeria(site, isInNigeria))
  if (idle.length * 2 <= sample.length) return null
  if (!idle.every(({ latitude, longitude }) => isInNigeria(longitude, latitude))) return null
  const { latitude, longitude } = idle[0]!
  return `latitude and longitude look swapped: most sites lie outside Nigeria, such as ${latitude}, ${longitude}, and would lie in it the other way round`
}

/** Looks at the middle and at eight points of the circle. */
function reachesNigeria({ latitude, longitude, radiusKm }: Circle, isInNigeria: IsInNigeria): boolean {
  const reach = radiusKm / KM_PER_DEGREE
  return (
    isInNigeria(latitude, longitude) ||
    DIRECTIONS.some((turn) => isInNigeria(latitude + reach * Math.sin(turn), longitude + reach * Math.cos(turn)))
  )
}
