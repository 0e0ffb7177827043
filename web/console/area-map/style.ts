import type { Feature, FeatureCollection, Position } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { circleAround } from '../../shared/ground/circle.ts'
import { COLOURS, type Colours } from '../../shared/ground/colours.ts'
import { borders, land, waters } from '../../shared/ground/ground.ts'
import { groundSources } from '../../shared/ground/ground-data.ts'
import { regionNames, riverNames, towns } from '../../shared/ground/ground-names.ts'
import type { Theme } from '../../shared/theme.ts'
import type { Area } from '../area/area.ts'
import { initialData } from '../initial-data.ts'

/** No font is called `Map SemiBold`: it gives MapLibre the weight, and the next family is used. */
const FONT = ['Map SemiBold', 'system-ui']
export const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }
/** Width of a pixel on the ground in kilometres, at zoom 0 and the latitude of Nigeria. */
const KM_PER_PIXEL = 78.27 * Math.cos((9 * Math.PI) / 180)
const LAST_ZOOM = 20

/** The shared ground, the area of the watch, and the incidents of its preview. */
export function areaMapStyle(
  theme: Theme,
  states: FeatureCollection,
  area: FeatureCollection,
  incidents: FeatureCollection,
): StyleSpecification {
  const colours = COLOURS[theme]
  return {
    version: 8,
    sources: {
      ...groundSources(initialData.hasRoads),
      states: { type: 'geojson', data: states },
      lgas: {
        type: 'geojson',
        data: initialData.hasLgas ? new URL('/v1/places/lgas.geojson', location.href).href : NOTHING,
      },
      area: { type: 'geojson', data: area },
      incidents: { type: 'geojson', data: incidents },
    },
    layers: [
      ...land(colours),
      ...waters(colours),
      ...borders(colours),
      ...areaLayers(colours),
      ...regionNames(colours, FONT),
      ...riverNames(colours, FONT),
      ...towns(theme, colours, FONT),
      {
        id: 'incidents',
        type: 'circle',
        source: 'incidents',
        paint: {
          'circle-radius': ['match', ['get', 'severity'], 'critical', 6, 'high', 5, 4],
          'circle-color': severityColour(colours),
          'circle-stroke-color': colours.panel,
          'circle-stroke-width': 1.5,
        },
      },
    ],
  }
}

function severityColour({ severity, quiet }: Colours): ExpressionSpecification {
  const { low, medium, high, critical } = severity
  return ['match', ['get', 'severity'], 'low', low, 'medium', medium, 'high', high, 'critical', critical, quiet]
}

function areaLayers(colours: Colours): LayerSpecification[] {
  // A line whose width is the corridor's on the ground, at every zoom.
  const widthAt = (zoom: number): ExpressionSpecification => ['*', 2 / KM_PER_PIXEL, 2 ** zoom, ['get', 'buffer_km']]
  return [
    {
      id: 'area-corridor',
      type: 'line',
      source: 'area',
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': colours.accent,
        'line-opacity': 0.2,
        'line-width': ['interpolate', ['exponential', 2], ['zoom'], 0, widthAt(0), LAST_ZOOM, widthAt(LAST_ZOOM)],
      },
    },
    {
      id: 'area-fill',
      type: 'fill',
      source: 'area',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colours.accent, 'fill-opacity': 0.14 },
    },
    { id: 'area-edge', type: 'line', source: 'area', paint: { 'line-color': colours.accent, 'line-width': 1.8 } },
  ]
}

/** The area as features that the map draws. */
export function areaFeatures(area: Area): FeatureCollection {
  const feature = (geometry: Feature['geometry'], properties = {}): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry }],
  })
  const [first] = area.kind === 'polygon' ? area.points : []
  if (area.kind === 'polygon' && first !== undefined)
    return feature({ type: 'Polygon', coordinates: [[...area.points, first]] })
  if (area.kind === 'route' && area.points.length > 1)
    return feature({ type: 'LineString', coordinates: [...area.points] }, { buffer_km: area.bufferKm })
  if (area.kind === 'circle') return feature(circleAround(area.centre[1]!, area.centre[0]!, area.radiusKm).geometry)
  return NOTHING
}

/** West, south, east and north of the area; null if it has no shape. */
export function areaBox(area: Area): [number, number, number, number] | null {
  const { features } = areaFeatures(area)
  const positions = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? geometry.coordinates.flat()
      : geometry.type === 'LineString'
        ? geometry.coordinates
        : [],
  ) as Position[]
  if (positions.length === 0) return null
  const lngs = positions.map(([lng]) => lng!)
  const lats = positions.map(([, lat]) => lat!)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}
