import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import { t } from '../../../shared/language.ts'
import type { StyleOptions } from '../style/style-options.ts'
import { COUNT_TEXT, INCIDENTS, IS_BADGE, recencyOf, SIZE } from './marks.ts'

/** From this zoom on there is room for words beside a badge. */
const WORDS_MIN_ZOOM = 7

/**
 * Draws the incidents that are known only to their LGA or state: a small badge with their number,
 * and the area's name where nothing else is in the way.
 */
export function badges(options: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  if (options.layer !== 'incidents') return []
  return [
    {
      id: 'badge-words',
      type: 'symbol',
      ...INCIDENTS,
      filter: IS_BADGE,
      minzoom: WORDS_MIN_ZOOM,
      layout: {
        'text-field': placeNotKnown(),
        'text-font': font,
        'text-size': 11,
        'text-anchor': 'top',
        'text-offset': [0, 1.25],
        'text-max-width': 9,
      },
      paint: { 'text-color': colours.quiet, 'text-halo-color': colours.land, 'text-halo-width': 1.3 },
    },
    {
      id: 'badges',
      type: 'symbol',
      ...INCIDENTS,
      filter: IS_BADGE,
      layout: {
        'icon-image': badgeImage(options),
        'icon-allow-overlap': true,
        'text-field': ['concat', '+', COUNT_TEXT],
        'text-font': font,
        'text-size': 11,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': colours.ink },
    },
  ]
}

export function badgeImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
  return ['concat', `badge/${theme}/`, recencyOf(recency), '/', SIZE, '/', ['get', 'severity']]
}

/** The sentence of the reader's language with the area's name where the language puts it. */
function placeNotKnown(): ExpressionSpecification {
  const isLga: ExpressionSpecification = [
    'all',
    ['has', 'lga'],
    ['any', ['has', 'count'], ['==', ['get', 'precision'], 'lga']],
  ]
  const name: ExpressionSpecification = ['case', isLga, ['get', 'lga'], ['get', 'state']]
  const [before, after] = t('map.placeNotKnown', { name: '\n\n' }).split('\n\n')
  return ['concat', before ?? '', name, after ?? '']
}
