import Type from 'typebox'
import type { ArchiveView } from '../../archive/archive.ts'
import type { Places } from '../../domain/places.ts'
import {
  parseTrendQuestion,
  TREND_FILTER_PARAMETERS,
  TREND_GROUPS,
  TREND_PARAMETERS,
  TREND_PERIODS,
  type TrendPeriodUnit,
  type TrendQuestion,
} from '../../filter/trend-question.ts'
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
import { AREA_PROBLEMS, endpoint, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import { Flag, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { meta } from '../incidents/contract.ts'
import { areaOfQuery, QueryClient, queryOf } from '../request.ts'
import { CachedBody, etagOf, hashOf, inStepPosition, metaJson, sendBytes } from '../response.ts'
import type { Router } from '../router.ts'
import { groupFields, labelsOf } from '../statistics.ts'
import { type Trends, TrendsCache, trendsKey } from './followed-trends.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

NamedObject(
  'TrendPeriod',
  {
    key: Text('The period, as `2026-10` or `2026-W45`.'),
    from: Time('Its first moment.'),
    to: Time('The first moment after it.'),
    observed: count('The number of incidents that happened in it and are published.'),
    expected: Nullable(Type.Number({ minimum: 0, description: 'What earlier years lead to expect.' })),
    usual: Nullable(
      Type.Object(
        { from: count('The smallest usual count.'), to: count('The largest.') },
        { description: 'Nine in ten counts lie in here, both ends included, if nothing has changed.' },
      ),
    ),
    upper_bound: Nullable(count('The largest usual count; 1 in 20 is above it by chance.')),
    ratio: Nullable(Type.Number({ minimum: 0, description: '`observed` divided by `expected`.' })),
    p_value: Nullable(share('The probability of this count or more if nothing has changed.')),
    verdict: Nullable(
      OneOf(
        ['higher', 'not_higher'],
        'Whether it is higher than usual, with false alarms controlled over all groups of the answer. Null without enough history, and for an incomplete period that is not higher so far.',
      ),
    ),
    incomplete: Flag('Whether it is not over, or many of its incidents are not yet published by the measured delay.'),
    completeness: Nullable(
      share('The estimated share of its incidents that is published; null where the delay is not known.'),
    ),
    years: count('The earlier years that it is compared with.'),
    text: Text('The same in a sentence: `14 in October 2026; 5 to 9 would be usual.`'),
  },
  { description: 'A period against what would be usual; figures are null without enough history.' },
)

NamedObject(
  'Trend',
  {
    ...groupFields,
    enough_history: Flag('Whether every period could be compared.'),
    reason: Nullable(Text('Why one could not be.')),
    periods: Type.Array(Type.Ref('TrendPeriod'), { description: 'Oldest first.' }),
  },
  { description: 'One group, with a field of its name if `group_by` is given. `lga` is null where it is unknown.' },
)

const method = Type.Object(
  {
    name: Type.Literal('farrington_noufaily', {
      description: "Farrington's method (1996) in Noufaily's variant (2013).",
    }),
    years: count('The most earlier years that are compared.'),
    fewest_years: count('The fewest; with less there is no verdict.'),
    half_window: count('Periods before and after the same one of an earlier year that belong to its season.'),
    season_levels: count('Parts of the year with a mean of their own.'),
    recent_excluded: count('Periods just before the compared one that are left out.'),
    residual_threshold: Type.Number({ description: 'Earlier counts with a larger Anscombe residual weigh less.' }),
    alpha: share('The probability of a count above `upper_bound` by chance.'),
    false_discovery_rate: share('The share of groups called higher that may be so by chance.'),
    least_in_season: count('The fewest incidents in the season of the earlier years.'),
    least_recent: Type.Object(
      { incidents: count('So many incidents,'), periods: count('in so many periods.') },
      { description: 'With fewer, no group is called higher.' },
    ),
    gap: count('So many periods without any incident of the whole feed end the history.'),
  },
  { description: 'The method and its parameters.' },
)

const reportingDelay = Nullable(
  Type.Object(
    {
      incidents: count('The incidents measured.'),
      median_days: count('Half are published within so many days of the event.'),
      ninetieth_percentile_days: count('Nine in ten are.'),
      longest_days: count('Later ones are left out.'),
      measured_days: count('How many days of events are measured.'),
      complete_share: share('A period with a smaller share of its incidents is incomplete.'),
    },
    { description: 'The delay from event to publication; null if too few incidents show it.' },
  ),
)

export const TrendsSchema = NamedObject('Trends', {
  group_by: Nullable(OneOf(TREND_GROUPS)),
  period: OneOf(TREND_PERIODS),
  method,
  reporting_delay: reportingDelay,
  data: Type.Array(Type.Ref('Trend'), { description: 'Most incidents in the last period first, then by key.' }),
  meta,
})

export const readTrends = endpoint('readTrends', 'GET /v1/trends', {
  sample: { group_by: 'state', period: 'month' },
  tag: 'Incidents',
  summary: 'Compare recent counts with what would be usual',
  description:
    'Counts incidents by week or month of `occurred_at`, and compares the last periods with the same season of up to five earlier years. ' +
    'Groups without an incident in these years are omitted. `verdict` controls false alarms over all groups, those that `only` leaves out too: ask for one state with `only`, rather than with a filter.',
  scope: 'read',
  query: { ...TREND_PARAMETERS, ...TREND_FILTER_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: ok('The comparison.', Type.Ref('Trends')),
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

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
  /** The position of `meta` in the body. */
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
