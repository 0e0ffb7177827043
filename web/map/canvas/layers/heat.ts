import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { INCIDENTS } from './by-severity.ts'

/** Makes the largest cluster shown the hottest. Clusters lie on a grid of 64 pixels. */
export function heatWeight(maxCount: number): ExpressionSpecification {
  return ['sqrt', ['/', ['coalesce', ['get', 'count'], 1], Math.max(maxCount, 6)]]
}

export function heat({ layer }: StyleOptions, { severity }: Colours): LayerSpecification[] {
  if (layer !== 'heat') return []
  return [
    {
      id: 'heat',
      type: 'heatmap',
      ...INCIDENTS,
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
