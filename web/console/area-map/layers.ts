import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../shared/ground/colours.ts'

/** Width of a pixel on the ground in kilometres, at zoom 0 and the latitude of Nigeria. */
const KM_PER_PIXEL = 78.27 * Math.cos((9 * Math.PI) / 180)
const LAST_ZOOM = 20

/** The incidents of the preview. */
export function incidentLayer(colours: Colours): LayerSpecification {
  return {
    id: 'incidents',
    type: 'circle',
    source: 'incidents',
    paint: {
      'circle-radius': ['match', ['get', 'severity'], 'critical', 6, 'high', 5, 4],
      'circle-color': severityColour(colours),
      'circle-stroke-color': colours.panel,
      'circle-stroke-width': 1.5,
    },
  }
}

function severityColour({ severity, quiet }: Colours): ExpressionSpecification {
  const { low, medium, high, critical } = severity
  return ['match', ['get', 'severity'], 'low', low, 'medium', medium, 'high', high, 'critical', critical, quiet]
}

/** The area of a watch, or the saved one. */
export function areaLayers(colours: Colours): LayerSpecification[] {
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
