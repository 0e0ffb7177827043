import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { StyleOptions } from '../style/style-options.ts'
import { INCIDENTS, IS_DOT, recencyOf } from './marks.ts'

/** From this zoom on, single incidents are icons; further out they would hide the ground. */
const ICONS_MIN_ZOOM = 9

/** Draws the incidents that are alone in their cell: dots, and icons from some zoom on. */
export function points(options: StyleOptions): LayerSpecification[] {
  if (options.layer !== 'incidents') return []
  return [
    {
      id: 'dots',
      type: 'symbol',
      ...INCIDENTS,
      filter: IS_DOT,
      layout: {
        'icon-image': pointImage(options),
        'icon-allow-overlap': true,
        'symbol-sort-key': ['get', 'occurred_at'],
      },
    },
  ]
}

export function pointImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
  const icon: ExpressionSpecification = [
    'match',
    ['get', 'type'],
    ['hostage_release', 'military_operation'],
    ['get', 'type'],
    ['get', 'category'],
  ]
  const named = (kind: string) =>
    ['concat', `${kind}/${theme}/`, recencyOf(recency), '/', ['get', 'severity'], '/', icon] as ExpressionSpecification
  return ['step', ['zoom'], named('dot'), ICONS_MIN_ZOOM, named('icon')]
}
