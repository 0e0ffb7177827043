import type { Point } from 'geojson'
import type { GeoJSONFeature, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { currentView } from '../view/current-view.ts'
import { type ImpreciseIncident, isImprecise, mergeIntoAreas } from './imprecise-areas.ts'
import { heatWeight } from './layers/heat.ts'

/**
 * Returns a function that updates what no single tile can tell: the areas that several incidents
 * share, and the largest count, which scales the heat. Call it whenever the map is idle, and with
 * `force` after the style was replaced.
 */
export function tileSummaryUpdater(map: MapLibre): (force?: boolean) => void {
  let drawn = ''
  return (force = false) => {
    if (force) drawn = ''
    const { layer } = currentView.get()
    if (layer === 'states' || !map.getSource('incidents')) return
    const features = map.querySourceFeatures('incidents', { sourceLayer: 'incidents' })
    const imprecise = features.filter(({ properties }) => isImprecise(properties.precision))
    const areas = mergeIntoAreas(imprecise.map(impreciseIncidentOf))
    const maxCount = Math.max(1, ...features.map(({ properties }) => Number(properties.count ?? 1)))
    // An update makes the map idle once more: without this check it would never end.
    const summary = `${layer} ${maxCount} ${JSON.stringify(areas)}`
    if (drawn === summary) return
    drawn = summary
    if (layer === 'heat') map.setPaintProperty('heat', 'heatmap-weight', heatWeight(maxCount))
    else map.getSource<GeoJSONSource>('areas')?.setData(areas)
  }
}

function impreciseIncidentOf({ properties, geometry }: GeoJSONFeature): ImpreciseIncident {
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
