import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { bySeverity } from './by-severity.ts'

/** Draws the areas of imprecise incidents, translucent with a dashed edge. */
export function areas({ layer }: StyleOptions, colours: Colours): LayerSpecification[] {
  if (layer !== 'incidents') return []
  const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon']
  return [
    {
      id: 'areas',
      type: 'fill',
      source: 'areas',
      filter: isArea,
      paint: { 'fill-color': bySeverity(colours.severity), 'fill-opacity': ['case', ['get', 'isState'], 0.05, 0.12] },
    },
    {
      id: 'area-edges',
      type: 'line',
      source: 'areas',
      filter: isArea,
      paint: {
        'line-color': bySeverity(colours.severity),
        'line-width': 1.2,
        'line-opacity': ['case', ['get', 'isState'], 0.55, 0.85],
        'line-dasharray': [3, 2.5],
      },
    },
  ]
}

export function areaNames({ layer }: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  if (layer !== 'incidents') return []
  return [
    {
      id: 'area-names',
      type: 'symbol',
      source: 'areas',
      minzoom: 7,
      filter: ['==', ['geometry-type'], 'Point'],
      layout: {
        'text-field': ['concat', ['to-string', ['get', 'count']], ' somewhere in ', ['get', 'name']],
        'text-font': font,
        'text-size': 11,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.3],
      },
      paint: {
        'text-color': colours.quiet,
        'text-halo-color': colours.land,
        'text-halo-width': 1.2,
      },
    },
  ]
}
