import type { ExpressionSpecification } from 'maplibre-gl'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import type { RecencyWindow } from '../marks/recency-window.ts'

export const INCIDENTS = { source: 'incidents', 'source-layer': 'incidents' } as const

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
export const SIZE: ExpressionSpecification = ['step', COUNT, '0', 10, '1', 100, '2', THOUSAND, '3']

/** The index in `STRENGTHS`: how recent the newest incident is, relative to the window. */
export function recencyOf(window: RecencyWindow | null): ExpressionSpecification | string {
  if (window === null) return '2'
  const at = (share: number) => Math.round(window.from + share * (window.to - window.from))
  const newest: ExpressionSpecification = ['coalesce', ['get', 'newest_occurred_at'], ['get', 'occurred_at'], 0]
  return ['step', newest, '0', at(0.4), '1', at(0.75), '2']
}

/** The shares of the severities in eighths, so that few images serve many clusters. */
export const SHARES: readonly ExpressionSpecification[] = SEVERITIES.map((severity) => [
  'to-string',
  ['ceil', ['/', ['*', 8, ['get', severity]], ['get', 'count']]],
])
