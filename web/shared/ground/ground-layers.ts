import type {
  ExpressionSpecification,
  LayerSpecification,
  SymbolLayerSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl'
import type { Theme } from '../theme.ts'
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

/** Names of countries, lakes and the sea. */
export function regionNames(colours: Colours, font: string[]): LayerSpecification[] {
  return [
    {
      id: 'country-names',
      type: 'symbol',
      source: 'ground',
      maxzoom: 9,
      filter: isKind('country'),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10, 7, 15],
        'text-letter-spacing': 0.16,
        'text-max-width': 8,
      },
      paint: { 'text-color': colours.quiet, 'text-opacity': 0.75 },
    },
    {
      id: 'water-names',
      type: 'symbol',
      source: 'ground',
      filter: ['in', ['get', 'kind'], ['literal', ['sea', 'lake']]],
      minzoom: 5,
      layout: waterLayout(font),
      paint: { 'text-color': colours.waterInk },
    },
  ]
}

export function riverNames(colours: Colours, font: string[]): LayerSpecification[] {
  return [
    {
      id: 'river-names',
      type: 'symbol',
      source: 'ground',
      minzoom: 5.2,
      maxzoom: 9.5,
      filter: isKind('river-name'),
      layout: waterLayout(font),
      paint: { 'text-color': colours.waterInk, 'text-halo-color': colours.land, 'text-halo-width': 1.2 },
    },
    {
      id: 'small-river-names',
      type: 'symbol',
      source: 'ground-detail',
      minzoom: 8,
      filter: ['all', isKind('river'), ['has', 'name']],
      layout: {
        ...waterLayout(font),
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-max-angle': 45,
        'text-offset': [0, -0.7],
      },
      paint: { 'text-color': colours.waterInk, 'text-halo-color': colours.land, 'text-halo-width': 1.2 },
    },
  ]
}

function waterLayout(font: string[]): NonNullable<SymbolLayerSpecification['layout']> {
  return {
    'text-field': ['get', 'name'],
    'text-font': font,
    'text-size': ['interpolate', ['linear'], ['zoom'], 5, 10.5, 9, 13],
    'text-letter-spacing': 0.1,
    'text-max-width': 6,
  }
}

/** The zoom from which towns of each rank are shown. */
const TOWN_ZOOMS = [4.6, 5.8, 6.8, 7.8, 9.2] as const
/** Towns of the first ranks come with the first data. */
const FIRST_RANKS = 2

/**
 * Beside the town; where a mark stands on it, around the mark, which has a radius of about 1.5 em.
 */
const BESIDE_OR_AROUND: VariableAnchorOffsetCollectionSpecification = [
  ...['left', [0.6, 0], 'right', [-0.6, 0], 'top', [0, 1.6], 'bottom', [0, -1.6]],
  ...['top-left', [1.3, 0.8], 'bottom-left', [1.3, -0.8], 'top-right', [-1.3, 0.8], 'bottom-right', [-1.3, -0.8]],
] as VariableAnchorOffsetCollectionSpecification

/** Towns: the larger are placed first, because higher layers are. */
export function towns(theme: Theme, colours: Colours, font: string[]): LayerSpecification[] {
  return TOWN_ZOOMS.map((minzoom, index): LayerSpecification => {
    const rank = index + 1
    return {
      id: `towns-${rank}`,
      type: 'symbol',
      source: rank <= FIRST_RANKS ? 'ground' : 'ground-detail',
      minzoom,
      filter: ['all', isKind('town'), ['==', ['get', 'rank'], rank]],
      layout: {
        'icon-image': `town/${theme}`,
        'icon-size': rank === 1 ? 1 : 0.8,
        // A mark on the town hides its ring, not its name.
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
        'text-field': ['get', 'name'],
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['zoom'], minzoom, rank === 1 ? 11.5 : 10.5, minzoom + 4, 14],
        'text-variable-anchor-offset': BESIDE_OR_AROUND,
        'text-justify': 'auto',
        'text-padding': 4,
      },
      paint: {
        'text-color': colours.ink,
        'text-opacity': rank <= FIRST_RANKS ? 0.86 : 0.7,
        'text-halo-color': colours.land,
        'text-halo-width': 1.4,
      },
    }
  }).toReversed()
}
