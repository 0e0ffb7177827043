import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import { NO_LGA } from '../../../archive/columns/columns.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Lga, Places, State } from '../../../domain/places.ts'
import type { IncidentType } from '../../../domain/taxonomy.ts'
import type { Filter } from '../../../filter/filter.ts'
import { MAP_TIME_ZONE } from '../../../filter/map-periods.ts'
import { startOfPeriod } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import type { TrendGroup } from '../../../trends/find-trends.ts'
import type { Mark } from '../../marks/find-marks.ts'
import { findPictureMarks } from '../../static-map/picture-marks.ts'
import type { Projection } from '../../static-map/projection.ts'
import { type Figures, findFigures } from '../../view/figures.ts'
import { type Area, areaFilter } from '../places/area.ts'
import type { Neighbours } from '../places/neighbours.ts'
import type { AreaTrends } from './area-trends.ts'
import { countsBy, type PeriodCount, periodCounts } from './counts.ts'
import { findCredits } from './credits.ts'

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
  /** When the oldest incident of the area was published; null without any. */
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
  /** How the data sets of the incidents ask to be credited. */
  readonly credits: readonly string[]
  readonly now: number
  /** Midnight in Lagos: then the days and months are others. */
  readonly validUntil: number
}

export interface AreaSources {
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
