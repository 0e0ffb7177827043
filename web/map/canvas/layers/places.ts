import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import { isKind } from '../../../shared/ground/ground-layers.ts'
import type { Theme } from '../../../shared/theme.ts'
import { polygonOf, type Road } from '../../view/shapes.ts'
import type { StyleOptions } from '../style/style-options.ts'

/** Marks outside the road's corridor or the drawn area: still there, but not part of the list. */
const OUTSIDE_OPACITY = 0.22
const EQUATOR_KM = 40_075
const TILE_PX = 512

/**
 * The circle around a point, a drawn area, and the corridor of a road; `drawn` is the road being
 * drawn.
 */
export function places(road: Road | null, colours: Colours): LayerSpecification[] {
  const corridor = corridorWidth(road)
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return [
    {
      id: 'near-area',
      type: 'fill',
      source: 'places',
      filter: isKind('near'),
      paint: { 'fill-color': colours.accent, 'fill-opacity': 0.06 },
    },
    {
      id: 'near-edge',
      type: 'line',
      source: 'places',
      filter: isKind('near'),
      paint: { 'line-color': colours.accent, 'line-width': 1.6 },
    },
    {
      id: 'road-corridor',
      type: 'line',
      source: 'places',
      filter: isKind('road'),
      layout: round,
      paint: { 'line-color': colours.accent, 'line-opacity': 0.14, 'line-width': corridor },
    },
    {
      id: 'road-edges',
      type: 'line',
      source: 'places',
      filter: isKind('road'),
      layout: { 'line-join': 'round' },
      paint: { 'line-color': colours.accent, 'line-opacity': 0.7, 'line-width': 1.2, 'line-gap-width': corridor },
    },
    {
      id: 'road-line',
      type: 'line',
      source: 'places',
      filter: ['in', ['get', 'kind'], ['literal', ['road', 'drawn']]],
      layout: round,
      paint: { 'line-color': colours.accent, 'line-width': 2, 'line-dasharray': [2, 1.5] },
    },
    {
      id: 'road-stops',
      type: 'circle',
      source: 'places',
      filter: ['in', ['get', 'kind'], ['literal', ['stop', 'me']]],
      paint: {
        'circle-radius': 5,
        'circle-color': colours.panel,
        'circle-stroke-color': colours.accent,
        'circle-stroke-width': 2.5,
      },
    },
  ]
}

/** Twice the buffer, in pixels, which double with each zoom; exact at the middle of the road. */
function corridorWidth(road: Road | null): ExpressionSpecification | number {
  if (road === null) return 0
  const lats = road.line.map(([, lat]) => lat)
  const lat = (Math.min(...lats) + Math.max(...lats)) / 2
  const atZoom0 = (2 * road.bufferKm * TILE_PX) / (EQUATOR_KM * Math.cos((lat * Math.PI) / 180))
  return ['interpolate', ['exponential', 2], ['zoom'], 0, atZoom0, 20, atZoom0 * 2 ** 20]
}

/**
 * Dims the marks that lie outside the road's corridor or the area: tiles cannot be asked for
 * either.
 */
export function dimOutside(
  layers: readonly LayerSpecification[],
  { road, polygon }: StyleOptions['shapes'],
): LayerSpecification[] {
  if (road === null && polygon === null) return [...layers]
  const line = road && { type: 'LineString', coordinates: road.line.map((point: readonly number[]) => [...point]) }
  const isInside = [
    'all',
    ...(road ? [['<=', ['distance', line], road.bufferKm * 1000]] : []),
    ...(polygon ? [['within', polygonOf(polygon)]] : []),
  ] as unknown as ExpressionSpecification
  const opacity: ExpressionSpecification = ['case', isInside, 1, OUTSIDE_OPACITY]
  return layers.map((layer) => {
    if (!('source' in layer) || layer.source !== 'incidents') return layer
    if (layer.type === 'circle')
      return { ...layer, paint: { 'circle-opacity': opacity, 'circle-stroke-opacity': opacity, ...layer.paint } }
    if (layer.type === 'symbol')
      return { ...layer, paint: { 'icon-opacity': opacity, 'text-opacity': opacity, ...layer.paint } }
    return layer
  })
}

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

const HIGHLIGHTED = ['hovered', 'selected'] as const

/** Hatches the areas in which the selected incident and the one under the pointer may lie. */
export function highlightedAreas(theme: Theme, { accent }: Colours): LayerSpecification[] {
  return HIGHLIGHTED.flatMap((id): LayerSpecification[] => [
    {
      id: `${id}-area`,
      type: 'fill',
      source: id,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-pattern': `hatch/${theme}` },
    },
    {
      id: `${id}-edge`,
      type: 'line',
      source: id,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
  ])
}

/** Draws rings around the places of the selected incident and of the one under the pointer. */
export function highlightedPoints({ accent }: Colours): LayerSpecification[] {
  return HIGHLIGHTED.map(
    (id): LayerSpecification => ({
      id,
      type: 'circle',
      source: id,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 14,
        'circle-color': 'transparent',
        'circle-stroke-color': accent,
        'circle-stroke-width': id === 'selected' ? 3 : 2,
      },
    }),
  )
}
