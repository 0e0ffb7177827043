import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../style/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { bySeverity, INCIDENTS } from './by-severity.ts'

export function points({ layer }: StyleOptions, colours: Colours): LayerSpecification[] {
  if (layer !== 'incidents') return []
  const isImprecise: ExpressionSpecification = ['in', ['get', 'precision'], ['literal', ['lga', 'state']]]
  const isDot: ExpressionSpecification = ['all', ['has', 'id'], ['!', isImprecise]]
  const radius = { low: 3, medium: 3.8, high: 4.6, critical: 5 }
  const radiusPlus = (more: number): ExpressionSpecification => [
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
    ...INCIDENTS,
    filter: ['all', isDot, ['in', ['get', 'severity'], ['literal', severities]]],
    paint: {
      'circle-radius': radiusPlus(more),
      'circle-color': 'transparent',
      'circle-stroke-width': 1.2,
      'circle-stroke-color': bySeverity(colours.severity),
    },
  })
  return [
    {
      id: 'dots',
      type: 'circle',
      ...INCIDENTS,
      filter: isDot,
      paint: {
        'circle-radius': radiusPlus(0),
        'circle-color': bySeverity(colours.severity),
        'circle-stroke-width': 1,
        'circle-stroke-color': colours.panel,
      },
    },
    ring('ring', 2.2, ['high', 'critical']),
    ring('double-ring', 4.8, ['critical']),
  ]
}
