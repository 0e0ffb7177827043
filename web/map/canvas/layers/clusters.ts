import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { COUNT_TEXT, INCIDENTS, IS_CLUSTER, recencyOf, SHARES, SIZE } from './marks.ts'

/** Draws the cells with several incidents: a disc with their number, which fits into it. */
export function clusters(options: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  if (options.layer !== 'incidents') return []
  return [
    {
      id: 'clusters',
      type: 'symbol',
      ...INCIDENTS,
      filter: IS_CLUSTER,
      layout: {
        'icon-image': clusterImage(options),
        'icon-allow-overlap': true,
        'text-field': COUNT_TEXT,
        'text-font': font,
        'text-size': ['step', ['get', 'count'], 11.5, 1000, 10.5],
        'text-allow-overlap': true,
        'symbol-sort-key': ['get', 'count'],
      },
      paint: { 'text-color': colours.ink },
    },
  ]
}

export function clusterImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
  const isImprecise: ExpressionSpecification = ['case', ['>', ['get', 'imprecise'], 0], '1', '0']
  const parts = [recencyOf(recency), SIZE, isImprecise, ...SHARES]
  return ['concat', `cluster/${theme}`, ...parts.flatMap((part) => ['/', part])] as ExpressionSpecification
}
