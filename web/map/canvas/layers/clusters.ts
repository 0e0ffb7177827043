import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import type { Colours } from '../style/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { INCIDENTS } from './by-severity.ts'

export function clusters({ layer, theme }: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
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
