import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from './colours.ts'

/** The land of Nigeria and its neighbours, in the sea. */
export function land(colours: Colours): LayerSpecification[] {
  return [
    { id: 'outside', type: 'background', paint: { 'background-color': colours.outside } },
    {
      id: 'abroad',
      type: 'fill',
      source: 'ground',
      filter: isKind('land'),
      paint: { 'fill-color': colours.abroad },
    },
    {
      id: 'abroad-borders',
      type: 'line',
      source: 'ground',
      filter: isKind('border'),
      paint: {
        'line-color': colours.abroadBorder,
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.6, 9, 1.4],
      },
    },
    { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': colours.land } },
  ]
}

export function waters(colours: Colours): LayerSpecification[] {
  const river = (id: string, source: string, minzoom: number): LayerSpecification => ({
    id,
    type: 'line',
    source,
    minzoom,
    filter: isKind('river'),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colours.water,
      // The Niger has rank 3, the Benue 4, small rivers 9.
      'line-width': [
        'interpolate',
        ['exponential', 1.4],
        ['zoom'],
        4,
        ['-', 1.9, ['*', 0.18, ['get', 'rank']]],
        12,
        ['-', 11, ['*', 0.9, ['get', 'rank']]],
      ],
    },
  })
  return [
    { id: 'lakes', type: 'fill', source: 'ground', filter: isKind('lake'), paint: { 'fill-color': colours.water } },
    river('rivers', 'ground', 0),
    river('small-rivers', 'ground-detail', 6.5),
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

export function isKind(kind: string): ExpressionSpecification {
  return ['==', ['get', 'kind'], kind]
}
