import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'

/** What is open, and what the list points at. */
export function choice({ accent }: Colours): LayerSpecification[] {
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
