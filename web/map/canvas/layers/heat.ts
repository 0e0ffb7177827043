import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { INCIDENTS } from './marks.ts'

/** Every incident weighs the same, in a cluster or alone; the fullest cell shown is the hottest. */
export function heatWeight(maxCount: number): ExpressionSpecification {
  return ['/', ['coalesce', ['get', 'count'], 1], Math.max(maxCount, 6)]
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
        'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 4, 60, 6, 80, 11, 96],
        'heatmap-intensity': 1.6,
        'heatmap-opacity': 0.78,
        // Weights are linear, so the colours are not: most places have a few hundredths of the
        // fullest.
        'heatmap-color': [
          'interpolate',
          ['linear'],
          ['heatmap-density'],
          0,
          `${severity.medium}00`,
          0.02,
          `${severity.medium}2e`,
          0.08,
          `${severity.medium}80`,
          0.25,
          severity.medium,
          0.55,
          severity.high,
          1,
          severity.critical,
        ],
      },
    },
  ]
}
