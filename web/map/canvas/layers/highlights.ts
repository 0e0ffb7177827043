import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'

/** Draws the selected incident, and the one whose list row has the pointer or the focus. */
export function highlights({ accent }: Colours): LayerSpecification[] {
  return [
    {
      id: 'selected-area',
      type: 'fill',
      source: 'selected',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': accent, 'fill-opacity': 0.08 },
    },
    {
      id: 'selected-edge',
      type: 'line',
      source: 'selected',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    ...(['selected', 'hovered'] as const).map(
      (id): LayerSpecification => ({
        id,
        type: 'circle',
        source: id,
        filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-radius': 13,
          'circle-color': 'transparent',
          'circle-stroke-color': accent,
          'circle-stroke-width': id === 'selected' ? 3 : 2,
        },
      }),
    ),
  ]
}
