import type { ArchiveView } from '../../archive/archive.ts'
import type { Places } from '../../domain/places.ts'
import { parseTrendQuestion, type TrendPeriodUnit, type TrendQuestion } from '../../filter/trend-question.ts'
import type { Steps } from '../../lib/steps.ts'
import { timeText } from '../../lib/time.ts'
import {
  COMPLETE_SHARE,
  FALSE_DISCOVERY_RATE,
  FEWEST_YEARS,
  GAP,
  LEAST_IN_SEASON,
  LEAST_RECENT,
  LONGEST_DELAY_DAYS,
  MEASURED_DAYS,
  MOST_YEARS,
  type ReportingDelay,
  TREND_METHODS,
  type TrendGroup,
  type TrendPeriod,
  trendSentence,
} from '../../trends/find-trends.ts'
import { VERSION } from '../../version.ts'
import { areaOfQuery, QueryClient, queryOf } from '../request.ts'
import { CachedBody, etagOf, hashOf, inStepPosition, metaJson, sendBytes } from '../response.ts'
import type { Router } from '../router.ts'
import { labelsOf } from '../statistics/statistics.ts'
import { readTrends } from './contract.ts'
import { type Trends, TrendsCache, trendsKey } from './followed-trends.ts'

export function trendRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new TrendsCache<TrendsAnswer>(queries, {
    write: (trends, question, view) => writeTrends(trends, question, places, view),
    renew: renewTrends,
    sizeOf: ({ cached }) => cached.size,
  })

  router.add(readTrends, async ({ request, reply, services: { archive, store, freshness } }) => {
    const now = clock()
    const area = await areaOfQuery(request, store, places)
    const question = parseTrendQuestion(new URLSearchParams(queryOf(request)), places, now, area)
    const { cached } = await cache.getTrends(archive, question, now, new QueryClient(request, reply))
    cached.stamp(freshness.stamp)
    return sendBytes(request, reply, cached, 'application/json; charset=utf-8')
  })
}

/** A written answer, whose `meta` can be renewed. */
export interface TrendsAnswer {
  readonly cached: CachedBody
  /** Where `meta` begins in the body. */
  readonly metaAt: number
}

/** A period takes some microseconds to write, and a group has up to twelve. */
const GROUPS_PER_STEP = 20

export function* writeTrends(
  trends: Trends,
  question: TrendQuestion,
  places: Places,
  view: ArchiveView,
): Steps<TrendsAnswer> {
  const { groupBy, only, period } = question
  const { delay } = trends
  const groups = only === null ? trends.groups : trends.groups.filter(({ key }) => only.includes(key))
  const keys = groups.map(({ key }) => key)
  const labels = yield* labelsOf(groupBy ?? undefined, keys, places, [])
  const parts: string[] = []
  for (const [number, group] of groups.entries()) {
    parts.push(`{${labels[number]}${JSON.stringify(groupResponse(group, period)).slice(1)}`)
    if (number % GROUPS_PER_STEP === 0) yield
  }
  const data = `[${parts.join(',')}]`
  yield
  const head = JSON.stringify({
    group_by: groupBy,
    period,
    method: methodResponse(period),
    reporting_delay: delay && delayResponse(delay),
  }).slice(0, -1)
  const etag = etagOf(`${VERSION} ${trendsKey(question)} ${head} ${hashOf(data)}`)
  return answerWith(Buffer.from(`${head},"data":${data},"meta":`), etag, view)
}

/** Says that the answer is complete up to a later event. */
function renewTrends({ cached, metaAt }: TrendsAnswer, view: ArchiveView): TrendsAnswer {
  return answerWith(cached.body.subarray(0, metaAt), cached.etag, view)
}

function answerWith(content: Buffer, etag: string, view: ArchiveView): TrendsAnswer {
  const body = Buffer.concat([content, Buffer.from(`${metaJson(view)}}`)])
  return { cached: new CachedBody(body, etag, inStepPosition(body)), metaAt: content.length }
}

function groupResponse({ enoughHistory, reason, periods }: TrendGroup, unit: TrendPeriodUnit) {
  return { enough_history: enoughHistory, reason, periods: periods.map((one) => periodResponse(one, unit)) }
}

function periodResponse(period: TrendPeriod, unit: TrendPeriodUnit) {
  return {
    key: period.name,
    from: timeText(period.start),
    to: timeText(period.end),
    observed: period.observed,
    expected: rounded(period.expected),
    usual: period.usual,
    upper_bound: period.upperBound,
    ratio: rounded(period.ratio),
    p_value: period.probability === null ? null : Number(period.probability.toPrecision(3)),
    verdict: period.verdict,
    incomplete: !period.isComplete,
    completeness: rounded(period.completeness),
    years: period.years,
    text: trendSentence(period, unit),
  }
}

/** The parameters, so that others can repeat the computation. */
function methodResponse(unit: TrendPeriodUnit) {
  const { alpha, halfWindow, levelCount, recentExcluded, residualThreshold } = TREND_METHODS[unit]
  return {
    name: 'farrington_noufaily',
    years: MOST_YEARS,
    fewest_years: FEWEST_YEARS,
    half_window: halfWindow,
    season_levels: levelCount,
    recent_excluded: recentExcluded,
    residual_threshold: residualThreshold,
    alpha,
    false_discovery_rate: FALSE_DISCOVERY_RATE,
    least_in_season: LEAST_IN_SEASON,
    least_recent: LEAST_RECENT,
    gap: GAP[unit],
  }
}

function delayResponse({ incidents, medianDays, ninetiethDays }: ReportingDelay) {
  return {
    incidents,
    median_days: medianDays,
    ninetieth_percentile_days: ninetiethDays,
    longest_days: LONGEST_DELAY_DAYS,
    measured_days: MEASURED_DAYS,
    complete_share: COMPLETE_SHARE,
  }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}
