import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { SEVERITIES } from '../../../src/domain/taxonomy.ts'
import type { Theme } from '../theme.ts'
import type { Layer } from '../view.ts'
import { COLOURS, type Colours } from './colours.ts'
import { type Areas, labelPoints } from './labels.ts'

export interface StyleOptions {
  readonly theme: Theme
  readonly layer: Layer
  readonly states: Areas
  /** Null where the operator has none, or they are not loaded yet. */
  readonly lgas: Areas | null
  readonly tiles: string
  /** Incidents by state code, for the layer that shades them. */
  readonly byState: ReadonlyMap<string, number>
  /** The operator's own style, to lie beneath. */
  readonly base: StyleSpecification | null
}

const INCIDENTS = { source: 'incidents', 'source-layer': 'incidents' } as const

/** What may be clicked, the first before the others. */
export const POINT_LAYERS = ['dots', 'clusters', 'area-names', 'areas'] as const

/** Nothing is named so: the word tells MapLibre the weight, and the next family has the letters. */
const OWN_FONT = ['Map SemiBold', 'system-ui']

export function styleFor(options: StyleOptions): StyleSpecification {
  const { theme, states, lgas, tiles, base } = options
  const colours = COLOURS[theme]
  const font = (base && fontIn(base)) ?? OWN_FONT
  const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }
  return {
    ...(base ?? {}),
    version: 8,
    sources: {
      ...base?.sources,
      states: { type: 'geojson', data: states },
      names: { type: 'geojson', data: labelPoints(states) },
      lgas: { type: 'geojson', data: lgas ?? empty },
      incidents: { type: 'vector', tiles: [tiles], minzoom: 3, maxzoom: 16 },
      areas: { type: 'geojson', data: empty },
      chosen: { type: 'geojson', data: empty },
      pointed: { type: 'geojson', data: empty },
    },
    layers: [
      ...(base ? base.layers : ground(colours)),
      ...shading(options, colours),
      ...borders(colours),
      ...heat(options, colours),
      ...areas(options, colours),
      ...points(options, colours),
      ...names(options, colours, font),
      ...areaNames(options, colours, font),
      ...clusters(options, colours, font),
      ...choice(colours),
    ],
  }
}

function fontIn(base: StyleSpecification): string[] | null {
  for (const layer of base.layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined
    if (Array.isArray(font) && font.every((name) => typeof name === 'string')) return font as string[]
  }
  return null
}

function ground(colours: Colours): LayerSpecification[] {
  return [
    { id: 'outside', type: 'background', paint: { 'background-color': colours.outside } },
    { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': colours.land } },
  ]
}

function shading({ layer, byState }: StyleOptions, colours: Colours): LayerSpecification[] {
  if (layer !== 'states') return []
  const most = Math.max(1, ...byState.values())
  const shades = [...byState].flatMap(([code, count]) => [code, 0.06 + 0.74 * Math.sqrt(count / most)])
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

function borders(colours: Colours): LayerSpecification[] {
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

/** Clusters stand on a grid of 64 pixels; the fullest of what is shown is the hottest. */
export function heatWeight(most: number): ExpressionSpecification {
  return ['sqrt', ['/', ['coalesce', ['get', 'count'], 1], Math.max(most, 6)]]
}

function heat({ layer }: StyleOptions, { severity }: Colours): LayerSpecification[] {
  if (layer !== 'heat') return []
  return [
    {
      id: 'heat',
      type: 'heatmap',
      source: 'incidents',
      'source-layer': 'incidents',
      paint: {
        'heatmap-weight': heatWeight(1),
        'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 4, 56, 6, 80, 11, 96],
        'heatmap-intensity': 2.2,
        'heatmap-opacity': 0.78,
        'heatmap-color': [
          'interpolate',
          ['linear'],
          ['heatmap-density'],
          0,
          `${severity.medium}00`,
          0.2,
          `${severity.medium}66`,
          0.5,
          severity.medium,
          0.75,
          severity.high,
          1,
          severity.critical,
        ],
      },
    },
  ]
}

function names({ layer, byState }: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  const counts = [...byState].flatMap(([code, count]) => [code, `\n${count.toLocaleString('en')}`])
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

const bySeverity = (values: Readonly<Record<(typeof SEVERITIES)[number], number | string>>) =>
  [
    'match',
    ['get', 'severity'],
    ...SEVERITIES.flatMap((one) => [one, values[one]]),
    values.low,
  ] as unknown as ExpressionSpecification

function points({ layer }: StyleOptions, colours: Colours): LayerSpecification[] {
  if (layer !== 'incidents') return []
  const source = INCIDENTS
  const isVague: ExpressionSpecification = ['in', ['get', 'precision'], ['literal', ['lga', 'state']]]
  const isDot: ExpressionSpecification = ['all', ['has', 'id'], ['!', isVague]]
  const radius = { low: 3, medium: 3.8, high: 4.6, critical: 5 }
  const grown = (more: number): ExpressionSpecification => [
    'interpolate',
    ['linear'],
    ['zoom'],
    5,
    ['+', more, bySeverity(radius)],
    11,
    ['+', more, ['*', 1.5, bySeverity(radius)]],
  ]
  const ring = (id: string, more: number, severities: string[]): LayerSpecification => ({
    id,
    type: 'circle',
    ...source,
    filter: ['all', isDot, ['in', ['get', 'severity'], ['literal', severities]]],
    paint: {
      'circle-radius': grown(more),
      'circle-color': 'transparent',
      'circle-stroke-width': 1.2,
      'circle-stroke-color': bySeverity(colours.severity),
    },
  })
  return [
    {
      id: 'dots',
      type: 'circle',
      ...source,
      filter: isDot,
      paint: {
        'circle-radius': grown(0),
        'circle-color': bySeverity(colours.severity),
        'circle-stroke-width': 1,
        'circle-stroke-color': colours.panel,
      },
    },
    ring('ring', 2.2, ['high', 'critical']),
    ring('double-ring', 4.8, ['critical']),
  ]
}

/** Soft, with a dashed edge: somewhere in here. */
function areas({ layer }: StyleOptions, colours: Colours): LayerSpecification[] {
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

function areaNames({ layer }: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
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

function clusters({ layer, theme }: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  if (layer !== 'incidents') return []
  const twelfths = (severity: string): ExpressionSpecification => [
    'to-string',
    ['ceil', ['/', ['*', 12, ['get', severity]], ['get', 'count']]],
  ]
  return [
    {
      id: 'clusters',
      type: 'symbol',
      ...INCIDENTS,
      filter: ['has', 'count'],
      layout: {
        'icon-image': [
          'concat',
          `ring/${theme}`,
          ...SEVERITIES.flatMap((one) => ['/', twelfths(one)]),
        ] as ExpressionSpecification,
        'icon-size': ['interpolate', ['linear'], ['ln', ['get', 'count']], 0.7, 0.68, 4.6, 0.95, 9.2, 1.3],
        'icon-allow-overlap': true,
        'text-field': [
          'case',
          ['>=', ['get', 'count'], 10_000],
          ['concat', ['to-string', ['round', ['/', ['get', 'count'], 1000]]], 'k'],
          ['>=', ['get', 'count'], 1000],
          ['concat', ['to-string', ['/', ['round', ['/', ['get', 'count'], 100]], 10]], 'k'],
          ['to-string', ['get', 'count']],
        ],
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['ln', ['get', 'count']], 0.7, 11, 9.2, 14],
        'text-allow-overlap': true,
        'symbol-sort-key': ['get', 'count'],
      },
      paint: { 'text-color': colours.ink },
    },
  ]
}

function choice({ accent }: Colours): LayerSpecification[] {
  return [
    {
      id: 'chosen-area',
      type: 'fill',
      source: 'chosen',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': accent, 'fill-opacity': 0.08 },
    },
    {
      id: 'chosen-edge',
      type: 'line',
      source: 'chosen',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    ...(['chosen', 'pointed'] as const).map(
      (id): LayerSpecification => ({
        id,
        type: 'circle',
        source: id,
        filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-radius': 13,
          'circle-color': 'transparent',
          'circle-stroke-color': accent,
          'circle-stroke-width': id === 'chosen' ? 3 : 2,
        },
      }),
    ),
  ]
}
