import { FollowedTrends } from '../../api/trends/followed-trends.ts'
import type { Archive, ArchiveView } from '../../archive/archive.ts'
import { NO_LGA } from '../../archive/columns/columns.ts'
import { type Incident, NO_DATASET } from '../../domain/incident.ts'
import type { Lga, Places, State } from '../../domain/places.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { EVERYTHING, type Filter } from '../../filter/filter.ts'
import type { Group } from '../../filter/grouping.ts'
import { MAP_TIME_ZONE } from '../../filter/map-periods.ts'
import type { TrendGrouping } from '../../filter/trend-question.ts'
import { listPeriods, startOfPeriod } from '../../lib/calendar.ts'
import type { Steps } from '../../lib/steps.ts'
import type { TrendGroup } from '../../trends/find-trends.ts'
import type { Mark } from '../marks.ts'
import type { Projection } from '../projection.ts'
import { type Figures, findFigures } from '../shown-view.ts'
import { findPictureMarks } from '../static-map.ts'
import { type Area, areaCode, areaFilter, type Neighbours } from './area.ts'

const NEWEST = 12
const MONTHS = 24

/** The incidents of these times are meant by the short figures. */
export type Span = 'year' | 'all'

export interface AreaContent {
  /** The last 30 days. */
  readonly month: Figures
  /** The last 12 months. */
  readonly yearCount: number
  readonly totalCount: number
  /** Time of publication of the area's oldest incident; null without any. */
  readonly oldest: number | null
  /**
   * The last month and this one against the usual; null without incidents in the years compared.
   */
  readonly trend: TrendGroup | null
  readonly newest: readonly Incident[]
  /** The last of them is not over. */
  readonly months: readonly PeriodCount[]
  readonly years: readonly PeriodCount[]
  /** The time of types and marks: the last 12 months, or all if they had nothing. */
  readonly span: Span
  readonly types: readonly { readonly type: IncidentType; readonly count: number }[]
  readonly marks: readonly Mark[]
  /** Counts of the last 12 months, by code: the areas in this one and beside it. */
  readonly counts: ReadonlyMap<string, number>
  /** Of the last 12 months, those of a state whose LGA is not known. */
  readonly withoutLga: number
  /** The credits that the data sets of the incidents ask for. */
  readonly credits: readonly string[]
  readonly now: number
  /** Midnight in Lagos: then the days and months are others. */
  readonly validUntil: number
}

interface AreaSources {
  readonly neighbours: Neighbours
  readonly trends: AreaTrends
  readonly projection: Projection
  readonly now: number
}

/** Finds what the page of an area shows, at one moment. Its days and months are those of Lagos. */
export function* findAreaContent(
  archive: Archive,
  view: ArchiveView,
  area: Area,
  { neighbours, trends, projection, now }: AreaSources,
): Steps<AreaContent> {
  const filter = areaFilter(area)
  const begins = (unit: 'day' | 'month', steps: number) => startOfPeriod(unit, now, MAP_TIME_ZONE, steps)
  const yearFrom = begins('month', -11)
  const inYear = { ...filter, publishedFrom: yearFrom }
  const month = yield* findFigures(view, { ...filter, publishedFrom: begins('day', -29) }, now)
  const { slots } = yield* view.findPage({ filter, order: 'newest', limit: NEWEST, after: null, now })
  const years = yield* periodCounts(view, filter, 'year', now)
  const months = yield* periodCounts(view, { ...filter, publishedFrom: begins('month', 1 - MONTHS) }, 'month', now)
  const yearCount = months.slice(-12).reduce((sum, { count }) => sum + count, 0)
  const span = yearCount > 0 ? 'year' : 'all'
  const shown = span === 'year' ? inYear : filter
  const types = yield* countsBy(view, shown, 'type', now)
  const marks = yield* findPictureMarks(view, shown, now, projection)
  const counts = yield* placeCounts(view, area, neighbours, yearFrom, now)
  const first = yield* view.findPage({ filter, order: 'oldest', limit: 1, after: null, now })
  return {
    month,
    yearCount,
    totalCount: years.reduce((sum, { count }) => sum + count, 0),
    oldest: first.slots[0] === undefined ? null : view.positionOf(first.slots[0]).publishedAt,
    trend: yield* trends.trendOf(archive, view, area, now),
    newest: slots.map((slot) => view.incidentOf(slot)),
    months,
    years,
    span,
    types: [...types]
      .map(([type, count]) => ({ type: type as IncidentType, count }))
      .sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1)),
    marks,
    counts,
    withoutLga: counts.get(NO_LGA) ?? 0,
    credits: yield* findCredits(view, filter, now),
    now,
    validUntil: begins('day', 1),
  }
}

/** By the codes of the areas in this one, and of its neighbours. */
function* placeCounts(
  view: ArchiveView,
  area: Area,
  neighbours: Neighbours,
  publishedFrom: number,
  now: number,
): Steps<Map<string, number>> {
  const within = (filter: Partial<Filter>) => ({ ...areaFilter({ kind: 'country' }), publishedFrom, ...filter })
  if (area.kind === 'country') return yield* countsBy(view, within({}), 'state', now)
  if (area.kind === 'lga') {
    const lgas = neighbours.ofLga(area.lga.code).map(({ lga }) => lga.code)
    return yield* countsBy(view, within({ lgas: lgas.toSorted() }), 'lga', now)
  }
  const inside = yield* countsBy(view, within({ states: [area.state.code] }), 'lga', now)
  const states = neighbours.ofState(area.state.code).map(({ code }) => code)
  const beside = yield* countsBy(view, within({ states: states.toSorted() }), 'state', now)
  return new Map([...inside, ...beside])
}

/** The areas that a page lists: inside its own, and beside it. */
export function partsOf(area: Area, { states, lgas }: Places): readonly (State | Lga)[] {
  if (area.kind === 'country') return states
  return area.kind === 'state' ? lgas.filter(({ state }) => state === area.state) : []
}

export interface PeriodCount {
  /** `2026-11`, or `2026`. */
  readonly name: string
  readonly start: number
  readonly count: number
}

/**
 * Counts the incidents of each month or year, from the first one of the filter or of the archive up
 * to now.
 */
function* periodCounts(view: ArchiveView, filter: Filter, unit: 'month' | 'year', now: number): Steps<PeriodCount[]> {
  const { oldestPublishedAt, newestPublishedAt } = view
  const from = filter.publishedFrom ?? oldestPublishedAt ?? now
  // If this node's clock is behind, the archive may have later incidents.
  const to = Math.max(now, newestPublishedAt ?? now)
  const periods = yield* listPeriods(unit, from, to, MAP_TIME_ZONE)
  const { sums } = yield* view.aggregate({ groups: [unit], filter, now, periods })
  return periods.map(({ name, start }, index) => ({ name, start, count: sums.at(index).count }))
}

/** Counts the incidents of each value that has any. */
function* countsBy(
  view: ArchiveView,
  filter: Filter,
  group: Exclude<Group, 'hour' | 'day' | 'week' | 'month' | 'year'>,
  now: number,
): Steps<Map<string, number>> {
  const { values, sums } = yield* view.aggregate({ groups: [group], filter, now, periods: [] })
  const counts = new Map<string, number>()
  for (const [index, value] of values[0].entries()) {
    const { count } = sums.at(index)
    if (count > 0) counts.set(value, count)
  }
  return counts
}

/**
 * Compares this month and the last with the usual, for every area. False alarms are controlled
 * over all areas of a kind, so a page takes its row of an answer for all of them.
 */
export class AreaTrends {
  readonly #trends: Readonly<Record<Area['kind'], FollowedTrends>>

  constructor() {
    this.#trends = { country: byMonth(null), state: byMonth('state'), lga: byMonth('lga') }
  }

  /** Null if the area had no incident in the years that are compared. */
  *trendOf(archive: Archive, view: ArchiveView, area: Area, now: number): Steps<TrendGroup | null> {
    const { byKey } = yield* this.#trends[area.kind].read(archive, view, now)
    return byKey.get(area.kind === 'country' ? '' : areaCode(area)) ?? null
  }
}

function byMonth(groupBy: TrendGrouping | null): FollowedTrends {
  const asked = { only: null, period: 'month', periods: 2, at: null, timeZone: MAP_TIME_ZONE } as const
  return new FollowedTrends({ groupBy, ...asked, filter: EVERYTHING })
}

/** More data sets than any feed has. */
const MAX_DATASETS = 12

/** Finds how the data sets among the incidents ask to be credited; by name where they do not. */
function* findCredits(view: ArchiveView, filter: Filter, now: number): Steps<string[]> {
  const credits = new Set<string>()
  const names = view.datasets.filter((name) => name !== NO_DATASET)
  for (const name of names.slice(0, MAX_DATASETS)) {
    const within = { ...filter, datasets: [name] }
    const { slots } = yield* view.findPage({ filter: within, order: 'newest', limit: 1, after: null, now })
    if (slots[0] !== undefined) credits.add(view.incidentOf(slots[0]).attribution ?? name)
    yield
  }
  return [...credits]
}
