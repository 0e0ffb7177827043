import Type from 'typebox'
import type { Aggregation } from '../archive/aggregate/aggregate.ts'
import type { Archive, ArchiveView } from '../archive/archive.ts'
import { CasualtySums, type CasualtyTotals } from '../archive/columns/casualty-column.ts'
import { NO_LGA } from '../archive/columns/columns.ts'
import type { Asker, SlicedQueries } from '../archive/sliced-queries.ts'
import { didYouMean, invalidParameters } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import {
  CATEGORIES,
  CATEGORY_NAMES,
  type Category,
  type IncidentType,
  SEVERITIES,
  SEVERITY_DESCRIPTIONS,
  type Severity,
  TYPE_NAMES,
  TYPES,
} from '../domain/taxonomy.ts'
import { canonicalQuery, type Filter } from '../filter/filter.ts'
import {
  GROUPING_PARAMETERS,
  GROUPS,
  type Group,
  type Grouping,
  isTimeGroup,
  parseGrouping,
  parseGroupingBody,
} from '../filter/grouping.ts'
import { publishedFrom } from '../filter/matches.ts'
import { FILTER_PARAMETERS } from '../filter/parameters.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { CALENDAR_UNITS, type CalendarUnit, countPeriods, listPeriods, type Period } from '../lib/calendar.ts'
import { SharedRuns } from '../lib/concurrency.ts'
import type { Steps } from '../lib/steps.ts'
import { durationMs, isCurrent, type Timed, timeText } from '../lib/time.ts'
import { VERSION } from '../version.ts'
import { answerBody } from './body.ts'
import {
  AREA_PROBLEMS,
  type Endpoint,
  endpointsOf,
  NEWNESS_PARAMETERS,
  ok,
  SEARCH_PROBLEMS,
} from './contract/endpoint.ts'
import { Count, Named, NamedObject, Nullable, OneOf, Text, Time } from './contract/schema.ts'
import { EXAMPLE_ROAD, meta, queryBody } from './incidents/contract.ts'
import { areaOfBody, areaOfQuery, QueryClient, queryOf } from './request.ts'
import { CachedBody, etagOf, hashOf, inStepPosition, metaJson, sendBytes } from './response.ts'
import type { RequestContext, Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Incidents', scope: 'read' })

const named = <Value extends string>(values: readonly Value[]) =>
  Type.Object({ key: OneOf(values, 'The value, as the filter accepts it.'), label: Type.String() })

/** The field by which an answer in groups names one of them; each is there if it was asked for. */
export const groupFields = {
  state: Type.Optional(Type.Object({ key: Text('The ISO 3166-2 code.'), label: Type.String() })),
  lga: Type.Optional(
    Nullable(
      Type.Object({
        key: Text('The code, such as `NG-KD-CHIKUN`.'),
        label: Type.String(),
        state: Type.String(),
        state_code: Type.String(),
      }),
    ),
  ),
  type: Type.Optional(named(TYPE_NAMES)),
  category: Type.Optional(named(CATEGORY_NAMES)),
  severity: Type.Optional(named(SEVERITIES)),
}

const known = (what: string) => Count(`Incidents with a known number of ${what}.`)

const numbers = {
  count: Count('The number of incidents.'),
  casualties: Type.Ref('Casualties'),
  casualties_known: Type.Object(
    { killed: known('dead'), injured: known('injured'), abducted: known('abducted') },
    {
      description:
        'The number of incidents with a known figure. The sums include only these, and are null if there are none.',
    },
  ),
}

const period = Type.Object({
  key: Text('The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`.'),
  from: Time('Its first moment.'),
  to: Time('The first moment after it.'),
})

NamedObject(
  'StatisticsBucket',
  {
    ...groupFields,
    hour: Type.Optional(period),
    day: Type.Optional(period),
    week: Type.Optional(period),
    month: Type.Optional(period),
    year: Type.Optional(period),
    ...numbers,
  },
  {
    description:
      'One bucket: the counts, and a field for each requested group, whose `key` the filter of that name accepts (for a time: `from` and `to`). `lga` is null for incidents without a known LGA.',
  },
)

export const Statistics = NamedObject('Statistics', {
  group_by: Type.Array(OneOf(GROUPS)),
  data: Type.Array(Type.Ref('StatisticsBucket')),
  total: Type.Object(numbers, { description: 'The totals of all matching incidents.' }),
  meta,
})

export const readStatistics = endpoint('readStatistics', 'GET /v1/stats', {
  sample: { group_by: 'state', since: '30d' },
  summary: 'Count incidents and casualties',
  description:
    'Counts the incidents that match all filters, by one or two groups. Times ascend without gaps: they cover the requested window, or that of the whole feed by default, ' +
    'including empty buckets; the first and the last may lie only partly in the window. Severities are ordered from least to worst; states, LGAs, types and categories from the most incidents to the fewest (then by key), ' +
    'in the same order throughout; values without incidents are omitted. At most 25,000 buckets.',
  query: { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS, ...NEWNESS_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: ok('The counts.', Type.Ref('Statistics')),
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export const StatisticsQuery = Named(
  'StatisticsQuery',
  queryBody(
    { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
    {
      description: 'The parameters of the counts as JSON, and two filters more: `polygon` and `route`.',
      example: { group_by: ['severity'], since: '30d', route: { line: EXAMPLE_ROAD, buffer_km: 5 } },
    },
  ),
)

export const queryStatistics = endpoint('queryStatistics', 'POST /v1/stats/query', {
  summary: 'Count incidents in a polygon or along a road',
  description:
    'The same counts, with the same parameters as members of a JSON object (several values as arrays) and two filters that a query string cannot hold: ' +
    '`polygon` and `route`, as in the filter of a watch. It only reads: publishable keys may use it.',
  readsOnly: true,
  body: StatisticsQuery,
  bodyCheck: 'by the handler',
  response: ok('The counts.', Type.Ref('Statistics')),
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export function statisticsRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new StatisticsCache(places, queries)

  router.add(readStatistics, async (context) => {
    const { request, services } = context
    const area = await areaOfQuery(request, services.store, places)
    return sendStatistics(parseGrouping(new URLSearchParams(queryOf(request)), places, area), context)
  })

  router.add(queryStatistics, (context) =>
    answerBody(async () => {
      const { request, body, services } = context
      const area = await areaOfBody(request, services.store, body, '', places)
      return sendStatistics(parseGroupingBody(body, places, area), context)
    }),
  )

  async function sendStatistics(
    grouping: Grouping,
    { request, reply, services: { archive, freshness } }: RequestContext<Endpoint>,
  ) {
    const statistics = await cache.getStatistics(archive, grouping, clock(), new QueryClient(request, reply))
    statistics.stamp(freshness.stamp)
    return sendBytes(request, reply, statistics, 'application/json; charset=utf-8')
  }
}

const MAX_BYTES = 32 << 20
/** Estimated memory of an entry besides its texts and bytes. */
const ENTRY_BYTES = 300

interface CacheEntry extends Timed {
  readonly cached: CachedBody
}

/** Keeps rendered statistics until the next event, or until a `since` window moves. */
export class StatisticsCache {
  readonly #places: Places
  readonly #queries: SlicedQueries
  readonly #entries: BoundedCache<string, CacheEntry>
  readonly #rendering = new SharedRuns<CachedBody>()
  #archive: Archive | null = null
  #seq = -1

  constructor(places: Places, queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#places = places
    this.#queries = queries
    this.#entries = new BoundedCache(maxBytes, ({ cached }, key) => ENTRY_BYTES + key.length + cached.size)
  }

  get size(): number {
    return this.#entries.size
  }

  getStatistics(archive: Archive, grouping: Grouping, now: number, asker: Asker): CachedBody | Promise<CachedBody> {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const query = `${grouping.groups} ${grouping.timeZone} ${canonicalQuery(grouping.filter)}`
    const entry = this.#entries.get(query)
    if (entry !== undefined && isCurrent(entry, now)) return entry.cached
    const toCached = ({ body, validUntil, identity, seq }: RenderedStatistics): CachedBody => {
      const cached = new CachedBody(body, etagOf(`${VERSION} ${query} ${identity}`), inStepPosition(body))
      if (seq === this.#seq && archive === this.#archive) this.#entries.set(query, { cached, madeAt: now, validUntil })
      return cached
    }
    return this.#rendering.join(
      `${this.#seq} ${query}`,
      () => asker.signal(),
      (signal) => {
        const { subject } = asker
        const rendered = this.#queries.run(archive, { subject, signal }, (view) =>
          renderStatistics(view, grouping, this.#places, now),
        )
        return rendered instanceof Promise ? rendered.then(toCached) : toCached(rendered)
      },
    )
  }

  #clear(archive: Archive): void {
    this.#entries.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}

interface RenderedStatistics {
  readonly body: Buffer
  /** Without new events the statistics are the same until then. */
  readonly validUntil: number
  /** With the query, determines the content: the buckets and the totals. */
  readonly identity: string
  readonly seq: number
  /** All that there are, though the body may have fewer. */
  readonly buckets: number
}

const BUCKETS_PER_STEP = 200

/** Totals of each pair of values, one row per value of the first group. */
interface PairTotals extends Pick<Aggregation, 'values'> {
  readonly numbers: readonly CasualtyTotals[]
}

/** Writes up to `most` buckets; more periods than that are refused. */
export function* renderStatistics(
  view: ArchiveView,
  { groups, timeZone, filter }: Grouping,
  places: Places,
  now: number,
  most = MAX_BUCKETS,
): Steps<RenderedStatistics> {
  const unit = groups.find(isTimeGroup)
  const window = unit ? windowOf(filter, view, now) : null
  if (unit && window) refuseTooManyBuckets({ groups, timeZone, filter }, unit, window, places, most)
  const periods = unit && window ? yield* listPeriods(unit, window.from, window.to, timeZone) : []
  const { values, sums, oldest } = yield* view.aggregate({ groups, filter, now, periods })
  const numbers = yield* totalsOf(sums, values[0].length * values[1].length)
  const { parts, count } = yield* bucketsOf({ values, numbers }, groups, places, periods, most)
  const total = `{${numbersText(totalOf(sums, numbers.length))}}`
  const head = Buffer.from(`{"group_by":${JSON.stringify(groups)},"data":[`)
  const tail = Buffer.from(`],"total":${total},"meta":${metaJson(view)}}`)
  const data = Buffer.concat(parts)
  return {
    body: Buffer.concat([head, data, tail]),
    validUntil: validUntil(filter, oldest, periods),
    identity: `${total} ${hashOf(data)}`,
    seq: view.head.seq,
    buckets: count,
  }
}

function* totalsOf(sums: CasualtySums, count: number): Steps<CasualtyTotals[]> {
  const numbers: CasualtyTotals[] = []
  while (numbers.length < count) {
    numbers.push(sums.at(numbers.length))
    if (numbers.length % BUCKETS_PER_STEP === 0) yield
  }
  return numbers
}

/** Concatenates strings: an object per bucket would cost more than the counting. */
function* bucketsOf(
  pairs: PairTotals,
  groups: readonly Group[],
  places: Places,
  periods: readonly Period[],
  most: number,
): Steps<{ parts: Buffer[]; count: number }> {
  const first = yield* labelsOf(groups[0], pairs.values[0], places, periods)
  const second = yield* labelsOf(groups[1], pairs.values[1], places, periods)
  const [rows, columns] = [orderOf(pairs, 0, groups[0]), orderOf(pairs, 1, groups[1])]
  const withEmpty = groups.some(isTimeGroup)
  const parts: Buffer[] = []
  let separator = ''
  let text = ''
  let pairsSeen = 0
  let count = 0
  for (const row of rows) {
    for (const column of columns) {
      if (++pairsSeen % BUCKETS_PER_STEP === 0) {
        parts.push(Buffer.from(text))
        text = ''
        yield
      }
      const numbers = pairs.numbers[row * pairs.values[1].length + column]!
      if (!withEmpty && numbers.count === 0) continue
      if (++count > most) continue
      text += `${separator}{${first[row]}${second[column]}${numbersText(numbers)}}`
      separator = ','
    }
  }
  return { parts: [...parts, Buffer.from(text)], count }
}

/** All periods; severities with incidents, in order; other values with incidents, most first. */
function orderOf({ values, numbers }: PairTotals, axis: 0 | 1, group: Group | undefined): number[] {
  const all = values[axis].map((_, number) => number)
  if (group === undefined || isTimeGroup(group)) return all
  const width = values[1].length
  const totals = new Float64Array(all.length)
  for (const [index, { count }] of numbers.entries())
    totals[axis === 0 ? Math.floor(index / width) : index % width]! += count
  const present = all.filter((number) => totals[number]! > 0)
  if (group === 'severity') return present
  const key = (number: number) => values[axis][number]!
  return present.sort((one, other) => totals[other]! - totals[one]! || (key(one) < key(other) ? -1 : 1))
}

function totalOf(sums: CasualtySums, count: number): CasualtyTotals {
  const total = new CasualtySums(1)
  for (let index = 0; index < count; index++) total.addBucket(0, sums, index)
  return total.at(0)
}

function numbersText(sums: CasualtyTotals): string {
  const { count, killed, killedKnown, injured, injuredKnown, abducted, abductedKnown } = sums
  const casualties = `"killed":${killedKnown ? killed : null},"injured":${injuredKnown ? injured : null},"abducted":${abductedKnown ? abducted : null}`
  const known = `"killed":${killedKnown},"injured":${injuredKnown},"abducted":${abductedKnown}`
  return `"count":${count},"casualties":{${casualties}},"casualties_known":{${known}}`
}

/** A `since` window loses its oldest incident, then its first period, and gains a last one. */
function validUntil({ since }: Filter, oldest: number | null, periods: readonly Period[]): number {
  if (since === null) return Number.POSITIVE_INFINITY
  const span = durationMs(since)
  const ends = [periods.at(-1)?.end, periods[0] && periods[0].end + span, oldest === null ? undefined : oldest + span]
  return Math.min(...ends.filter((end) => end !== undefined))
}

const LABELS_PER_STEP = 100

/** Writes the bucket field of each value: `"severity":{"key":"high","label":"High"},`. */
export function* labelsOf(
  group: Group | undefined,
  values: readonly string[],
  places: Places,
  periods: readonly Period[],
): Steps<string[]> {
  if (group === undefined) return values.map(() => '')
  const label = labeller(group, places, periods)
  const labels: string[] = []
  for (const [number, value] of values.entries()) {
    labels.push(`"${group}":${JSON.stringify(label(value, number))},`)
    if (labels.length % LABELS_PER_STEP === 0) yield
  }
  return labels
}

function labeller(
  group: Group,
  places: Places,
  periods: readonly Period[],
): (value: string, number: number) => object | null {
  switch (group) {
    case 'state': {
      const names = new Map(places.states.map(({ code, name }) => [code, name]))
      return (key) => ({ key, label: names.get(key) ?? key })
    }
    case 'lga': {
      const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))
      return (key) => {
        if (key === NO_LGA) return null
        const lga = lgas.get(key)
        return { key, label: lga?.name ?? key, state: lga?.state.name ?? key, state_code: lga?.state.code ?? key }
      }
    }
    case 'type':
      return (key) => ({ key, label: TYPES[key as IncidentType].label })
    case 'category':
      return (key) => ({ key, label: CATEGORIES[key as Category].label })
    case 'severity':
      return (key) => ({ key, label: SEVERITY_DESCRIPTIONS[key as Severity].label })
    default: {
      // A period begins where the one before ends, whose text exists already.
      let before = { end: Number.NaN, text: '' }
      return (key, number) => {
        const { start, end } = periods[number]!
        const from = before.end === start ? before.text : timeText(start)
        before = { end, text: timeText(end) }
        return { key, from, to: before.text }
      }
    }
  }
}

const MAX_BUCKETS = 25_000

/** Milliseconds; both ends are included. */
interface Window {
  readonly from: number
  readonly to: number
}

/** Takes an open end of the filter from the archive. Null if the archive is empty. */
export function windowOf(filter: Filter, view: ArchiveView, now: number): Window | null {
  const { oldestPublishedAt, newestPublishedAt } = view
  const filterFrom = publishedFrom(filter, now)
  const from = filterFrom === Number.NEGATIVE_INFINITY ? oldestPublishedAt : filterFrom
  // If this node's clock is behind, the archive may contain later incidents than its `now`.
  const latest = filter.since === null ? newestPublishedAt : Math.max(now, newestPublishedAt ?? now)
  const to = filter.publishedTo === null ? latest : filter.publishedTo - 1
  return from === null || to === null ? null : { from, to }
}

/** Runs before counting, so that an oversized query does not delay other requests. */
function refuseTooManyBuckets(
  { groups, timeZone, filter }: Grouping,
  unit: CalendarUnit,
  window: Window,
  places: Places,
  most = MAX_BUCKETS,
): void {
  const other = groups.find((group) => !isTimeGroup(group))
  const otherValues = other === undefined ? 1 : maxValues(other, filter, places)
  const countOf = (one: CalendarUnit) => countPeriods(one, window.from, window.to, timeZone)
  const periods = countOf(unit)
  if (periods * otherValues <= most) return
  const fits = CALENDAR_UNITS.filter((one) => countOf(one) * otherValues <= most)
  const withUnit = (fit: CalendarUnit) => groups.map((group) => (isTimeGroup(group) ? fit : group)).join(',')
  const product = `${periods} ${unit}s${other === undefined ? '' : ` × ${otherValues} values of ${other}`}`
  throw invalidParameters([
    {
      parameter: 'group_by',
      message:
        `selects ${product} from ${day(window.from)} to ${day(window.to)}; ` +
        `the maximum is ${most} buckets: shorten the window with from and to${fits.length > 0 ? `, or count by ${fits[0]}` : ''}`,
      ...didYouMean(fits.map(withUnit)),
    },
  ])
}

function maxValues(group: Group, { states, lgas, types, severities }: Filter, places: Places): number {
  switch (group) {
    case 'state':
      return (states ?? places.states).length
    case 'lga':
      return lgas?.length ?? 1 + places.lgas.filter(({ state }) => states?.includes(state.code) ?? true).length
    case 'type':
      return (types ?? TYPE_NAMES).length
    case 'severity':
      return (severities ?? SEVERITIES).length
    default:
      return CATEGORY_NAMES.length
  }
}

function day(time: number): string {
  return timeText(time).slice(0, 10)
}
