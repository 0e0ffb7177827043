import Type from 'typebox'
import { TREND_FILTER_PARAMETERS, TREND_GROUPS, TREND_PARAMETERS, TREND_PERIODS } from '../../filter/trend-question.ts'
import { AREA_PROBLEMS, endpoint, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import { Flag, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { meta } from '../incidents/contract.ts'
import { groupFields } from '../statistics/contract.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const TrendPeriod = NamedObject(
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

export const Trend = NamedObject(
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

export const Trends = NamedObject('Trends', {
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
