import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import { isKind } from '../../../shared/ground/ground-layers.ts'
import { polygonOf } from '../../view/drawn-area.ts'
import type { Road } from '../../view/near-and-road.ts'
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
