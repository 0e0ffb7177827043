import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'

/** Zooms from which roads of a class are shown, and their widths at zoom 6 and 12. */
const CLASSES = [
  { id: 'roads-local', classes: ['tertiary', 'other'], minzoom: 9, widths: [0.4, 1.6] },
  { id: 'roads-secondary', classes: ['secondary'], minzoom: 7.5, widths: [0.6, 2.4] },
  { id: 'roads-main', classes: ['motorway', 'trunk', 'primary'], minzoom: 5, widths: [0.9, 3.6] },
] as const

/** The operator's roads, the main ones on top. */
export function roads(colours: Colours): LayerSpecification[] {
  return CLASSES.map(({ id, classes, minzoom, widths: [narrow, wide] }) => ({
    id,
    type: 'line',
    source: 'roads',
    minzoom,
    filter: ['in', ['get', 'class'], ['literal', [...classes]]],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colours.road,
      'line-width': ['interpolate', ['exponential', 1.4], ['zoom'], 6, narrow, 12, wide],
    },
  }))
}

export function roadNames(colours: Colours, font: string[]): LayerSpecification[] {
  return [
    {
      id: 'road-names',
      type: 'symbol',
      source: 'roads',
      minzoom: 8,
      filter: ['all', ['has', 'ref'], ['in', ['get', 'class'], ['literal', ['motorway', 'trunk', 'primary']]]],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'text-field': ['get', 'ref'] as ExpressionSpecification,
        'text-font': font,
        'text-size': 10,
      },
      paint: { 'text-color': colours.quiet, 'text-halo-color': colours.land, 'text-halo-width': 1.5 },
    },
  ]
}
