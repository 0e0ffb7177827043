import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'

export function ground(colours: Colours): LayerSpecification[] {
  return [
    { id: 'outside', type: 'background', paint: { 'background-color': colours.outside } },
    { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': colours.land } },
  ]
}

export function stateShading({ layer, countsByState }: StyleOptions, colours: Colours): LayerSpecification[] {
  if (layer !== 'states') return []
  const maxCount = Math.max(1, ...countsByState.values())
  const shades = [...countsByState].flatMap(([code, count]) => [code, 0.06 + 0.74 * Math.sqrt(count / maxCount)])
  const opacity =
    shades.length === 0 ? 0 : (['match', ['get', 'code'], ...shades, 0] as unknown as ExpressionSpecification)
  return [
    {
      id: 'shades',
      type: 'fill',
      source: 'states',
      paint: { 'fill-color': colours.accent, 'fill-opacity': opacity },
    },
  ]
}

export function borders(colours: Colours): LayerSpecification[] {
  return [
    {
      id: 'lga-borders',
      type: 'line',
      source: 'lgas',
      minzoom: 6.5,
      paint: {
        'line-color': colours.lgaBorder,
        'line-width': ['interpolate', ['linear'], ['zoom'], 6.5, 0.5, 10, 1.2],
      },
    },
    {
      id: 'state-borders',
      type: 'line',
      source: 'states',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': colours.stateBorder,
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.7, 8, 1.5, 12, 2.5],
      },
    },
  ]
}

export function stateNames(
  { layer, countsByState }: StyleOptions,
  colours: Colours,
  font: string[],
): LayerSpecification[] {
  const counts = [...countsByState].flatMap(([code, count]) => [code, `\n${count.toLocaleString('en')}`])
  const count =
    counts.length === 0 ? '' : (['match', ['get', 'code'], ...counts, ''] as unknown as ExpressionSpecification)
  return [
    {
      id: 'state-names',
      type: 'symbol',
      source: 'names',
      minzoom: 3.8,
      layout: {
        'text-field': layer === 'states' ? ['concat', ['get', 'name'], count] : ['get', 'name'],
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 9, 5, 10.5, 8, 15],
        'text-max-width': 7,
        'text-padding': 3,
        'text-variable-anchor': ['center', 'top', 'bottom'],
        'text-radial-offset': 1.5,
      },
      paint: {
        'text-color': layer === 'states' ? colours.ink : colours.quiet,
        'text-halo-color': colours.land,
        'text-halo-width': 1.4,
      },
    },
  ]
}
