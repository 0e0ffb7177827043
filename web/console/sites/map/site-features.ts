import type { FeatureCollection } from 'geojson'
import { circleAround } from '../../../shared/ground/circle.ts'
import type { Site } from '../site-list.ts'

/** The circles of more sites than this would cover the map, and slow it. */
export const MAX_CIRCLES = 1000

/** Each site as a point, and its circle if there are not too many. */
export function siteFeatures(sites: readonly Site[]): FeatureCollection {
  const points = sites.map(({ longitude, latitude }) => ({
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  }))
  const circles =
    sites.length > MAX_CIRCLES
      ? []
      : sites.map(({ latitude, longitude, radius_km }) => circleAround(latitude, longitude, radius_km))
  return { type: 'FeatureCollection', features: [...circles, ...points] }
}

/** West, south, east and north of what is drawn; null without sites. */
export function sitesBox(sites: readonly Site[]): [number, number, number, number] | null {
  if (sites.length === 0) return null
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { latitude, longitude, radius_km } of sites) {
    const reach = sites.length > MAX_CIRCLES ? 0 : radius_km / 110
    west = Math.min(west, longitude - reach)
    south = Math.min(south, latitude - reach)
    east = Math.max(east, longitude + reach)
    north = Math.max(north, latitude + reach)
  }
  return [west, south, east, north]
}
