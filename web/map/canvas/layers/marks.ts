import type { ExpressionSpecification, LayerSpecification, Map as MapLibre } from 'maplibre-gl'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import type { Colours } from '../../../shared/ground/colours.ts'
import { t } from '../../../shared/language.ts'
import type { RecencyWindow, StyleOptions } from '../style/style-options.ts'

const INCIDENTS = { source: 'incidents', 'source-layer': 'incidents' } as const

const isCluster: ExpressionSpecification = ['has', 'count']
const isImpreciseIncident: ExpressionSpecification = ['in', ['get', 'precision'], ['literal', ['lga', 'state']]]
/** All of its incidents are known only to one LGA or one state. */
const isImpreciseCluster: ExpressionSpecification = [
  'all',
  ['has', 'state_code'],
  ['==', ['get', 'imprecise'], ['get', 'count']],
]

/** The three kinds of marks; each feature of a tile is one of them. */
export const IS_BADGE: ExpressionSpecification = ['case', isCluster, isImpreciseCluster, isImpreciseIncident]
export const IS_CLUSTER: ExpressionSpecification = ['all', isCluster, ['!', isImpreciseCluster]]
export const IS_DOT: ExpressionSpecification = ['all', ['!', isCluster], ['!', isImpreciseIncident]]

const COUNT: ExpressionSpecification = ['coalesce', ['get', 'count'], 1]
const THOUSAND = 1000
const MILLION = 1_000_000

/** The count in at most four characters: `384`, `1.2k`, `12k`, `1.3M`. */
export const COUNT_TEXT: ExpressionSpecification = [
  'case',
  ['>=', COUNT, 9.95 * MILLION],
  ['concat', ['to-string', ['round', ['/', COUNT, MILLION]]], 'M'],
  ['>=', COUNT, 999_500],
  ['concat', ['to-string', ['/', ['round', ['/', COUNT, MILLION / 10]], 10]], 'M'],
  ['>=', COUNT, 9950],
  ['concat', ['to-string', ['round', ['/', COUNT, THOUSAND]]], 'k'],
  ['>=', COUNT, THOUSAND],
  ['concat', ['to-string', ['/', ['round', ['/', COUNT, THOUSAND / 10]], 10]], 'k'],
  ['to-string', COUNT],
]

/** The number of digits less one, as far as sizes differ: an index in the table of sizes. */
const SIZE: ExpressionSpecification = ['step', COUNT, '0', 10, '1', 100, '2', THOUSAND, '3']

/** The index in `STRENGTHS`: how recent the newest incident is, relative to the window. */
export function recencyOf(window: RecencyWindow | null): ExpressionSpecification | string {
  if (window === null) return '2'
  const at = (share: number) => Math.round(window.from + share * (window.to - window.from))
  const newest: ExpressionSpecification = ['coalesce', ['get', 'newest_occurred_at'], ['get', 'occurred_at'], 0]
  return ['step', newest, '0', at(0.4), '1', at(0.75), '2']
}

/** The shares of the severities in eighths, so that few images serve many clusters. */
const SHARES: readonly ExpressionSpecification[] = SEVERITIES.map((severity) => [
  'to-string',
  ['ceil', ['/', ['*', 8, ['get', severity]], ['get', 'count']]],
])

/** The layers that draw the marks of the tiles. */
export const MARK_LAYERS = ['dots', 'clusters', 'badges'] as const

export function marks(options: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
  if (options.layer !== 'incidents') return []
  return [...badges(options, colours, font), points(options), clusters(options, colours, font)]
}

/** From this zoom on, single incidents are icons; further out they would hide the ground. */
const ICONS_MIN_ZOOM = 9

/** Draws the incidents that are alone in their cell: dots, and icons from some zoom on. */
function points(options: StyleOptions): LayerSpecification {
  return {
    id: 'dots',
    type: 'symbol',
    ...INCIDENTS,
    filter: IS_DOT,
    layout: {
      'icon-image': pointImage(options),
      'icon-allow-overlap': true,
      'symbol-sort-key': ['get', 'occurred_at'],
    },
  }
}

function pointImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
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

/** Draws the cells with several incidents: a disc with their number, which fits into it. */
function clusters(options: StyleOptions, colours: Colours, font: string[]): LayerSpecification {
  return {
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
  }
}

function clusterImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
  const isImprecise: ExpressionSpecification = ['case', ['>', ['get', 'imprecise'], 0], '1', '0']
  const parts = [recencyOf(recency), SIZE, isImprecise, ...SHARES]
  return ['concat', `cluster/${theme}`, ...parts.flatMap((part) => ['/', part])] as ExpressionSpecification
}

/** From this zoom on there is room for words beside a badge. */
const WORDS_MIN_ZOOM = 7

/**
 * Draws the incidents that are known only to their LGA or state: a small badge with their number,
 * and the area's name where nothing else is in the way.
 */
function badges(options: StyleOptions, colours: Colours, font: string[]): LayerSpecification[] {
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

function badgeImage({ theme, recency }: Pick<StyleOptions, 'theme' | 'recency'>): ExpressionSpecification {
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

/** Draws the marks again for another window; a new style would drop the tiles that are loaded. */
export function updateRecency(map: MapLibre, options: Pick<StyleOptions, 'theme' | 'recency'>): void {
  const images = { clusters: clusterImage, dots: pointImage, badges: badgeImage }
  for (const [layer, image] of Object.entries(images)) {
    if (map.getLayer(layer)) map.setLayoutProperty(layer, 'icon-image', image(options))
  }
}

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
