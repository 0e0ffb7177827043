import type { Point } from 'geojson'
import type { GeoJSONFeature, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { currentView } from '../view/current-view.ts'
import { areasOf, isVague, type Vague } from './imprecise-areas.ts'
import { heatWeight } from './layers/heat.ts'

/**
 * Draws what cannot be drawn from a tile alone: the areas that several incidents share, and how hot the hottest is. Gives a
 * function that does so whenever the map has come to rest; `again` where the style was replaced.
 */
export function gatherer(map: MapLibre): (again?: boolean) => void {
  let gathered = ''
  return (again = false) => {
    if (again) gathered = ''
    const { layer } = currentView.get()
    if (layer === 'states' || !map.getSource('incidents')) return
    const features = map.querySourceFeatures('incidents', { sourceLayer: 'incidents' })
    const areas = areasOf(features.filter(({ properties }) => isVague(properties.precision)).map(vagueOf))
    const most = Math.max(1, ...features.map(({ properties }) => Number(properties.count ?? 1)))
    // Drawing makes the map come to rest once more.
    const text = `${layer} ${most} ${JSON.stringify(areas)}`
    if (gathered === text) return
    gathered = text
    if (layer === 'heat') map.setPaintProperty('heat', 'heatmap-weight', heatWeight(most))
    else map.getSource<GeoJSONSource>('areas')?.setData(areas)
  }
}

function vagueOf({ properties, geometry }: GeoJSONFeature): Vague {
  const [lng, lat] = (geometry as Point).coordinates as [number, number]
  const { id, severity, precision, radius_km, state, state_code, lga, lga_code } = properties
  return {
    id: String(id),
    severity: String(severity),
    precision: String(precision),
    radiusKm: Number(radius_km ?? 10),
    state: String(state_code),
    lga: lga_code === undefined ? null : String(lga_code),
    stateName: String(state),
    lgaName: lga === undefined ? null : String(lga),
    lat,
    lng,
  }
}
