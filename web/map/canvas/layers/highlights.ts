import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import type { Theme } from '../../../shared/theme.ts'

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
