import type { Incident } from '../../../src/domain/incident.ts'
import type { Severity } from '../../../src/domain/taxonomy.ts'
import {
  contains,
  MAP_PERIODS,
  MAP_TIME_ZONE,
  type MapPeriod,
  periodEndingAt,
  type TimeWindow,
} from '../../../src/filter/map-periods.ts'
import { isInShapes, type Shapes, shapeMembers } from '../view/shapes.ts'
import { type BoundingBox, boxText, filterOf, type View } from '../view/view.ts'

/**
 * The page's question. Headline, severity counts, timeline, list and tiles are all answers to
 * one question, so they cover the same incidents.
 */
export interface Question extends Shapes {
  readonly period: MapPeriod
  /** The time that the timeline covers; null is all time. */
  readonly span: TimeWindow | null
  /** The time that list and counts cover: a part of the span, or all of it. */
  readonly window: TimeWindow | null
  /** The API's filter without severities, times and box. */
  readonly filter: string
  readonly severities: readonly Severity[]
  readonly box: BoundingBox | null
}

/**
 * Returns the question of a view. The timeline keeps the span that it had while the window lies in
 * it; else a window of the past would move the bars under the finger that drags it.
 */
export function questionOf(view: View, visibleBox: BoundingBox | null, now: number, before?: Question): Question {
  const box = view.box ?? visibleBox
  return {
    period: view.period,
    ...timesOf(view, now, before),
    filter: placesAndTypesOf(view, now),
    severities: view.severities,
    box,
    road: view.road,
    polygon: view.polygon,
  }
}

function timesOf({ period, window }: View, now: number, before?: Question): Pick<Question, 'span' | 'window'> {
  const current = periodEndingAt(period, now)
  if (window === null) return { span: current, window: current }
  if (contains(current, window)) return { span: current, window }
  const keepsSpan = before !== undefined && before.period === period && contains(before.span, window)
  return { span: keepsSpan ? before.span : periodEndingAt(period, Date.parse(window.to) - 1), window }
}

function placesAndTypesOf(view: View, now: number): string {
  return filterOf({ ...view, period: 'all', window: null, severities: [], box: null }, now).toString()
}

/**
 * Counts by time and severity, with casualties: headline, severity counts and bars in one answer.
 */
export function statisticsQuery({ period, span, filter, box }: Question): URLSearchParams {
  const query = new URLSearchParams(filter)
  addTimes(query, span)
  addBox(query, box)
  query.set('group_by', `${MAP_PERIODS[period].unit},severity`)
  query.set('time_zone', MAP_TIME_ZONE)
  return query
}

/** Asks for the incidents of the list. */
export function listQuery(question: Question): URLSearchParams {
  const query = mapQuery(question)
  addBox(query, question.box)
  return query
}

/** Two questions with equal keys have the same list. */
export function listKeyOf(question: Question): string {
  return keyOf(listQuery(question), question)
}

export function statisticsKeyOf(question: Question): string {
  return keyOf(statisticsQuery(question), question)
}

function keyOf(query: URLSearchParams, question: Question): string {
  const shapes = shapeMembers(question)
  return shapes === null ? query.toString() : `${query} ${JSON.stringify(shapes)}`
}

/** Asks for the same incidents everywhere: the map shows what lies around the box, too. */
export function mapQuery({ window, filter, severities }: Question): URLSearchParams {
  const query = new URLSearchParams(filter)
  if (severities.length > 0) query.set('severity', severities.join(','))
  addTimes(query, window)
  return query
}

function addTimes(query: URLSearchParams, times: TimeWindow | null): void {
  if (times === null) return
  query.set('from', times.from)
  query.set('to', times.to)
}

function addBox(query: URLSearchParams, box: BoundingBox | null): void {
  if (box !== null) query.set('bbox', boxText(box))
}

/** Checks what the stream does not: severity, time, box, road and drawn area. */
export function isAnswer({ severity, published_at, lat, lng }: Incident, question: Question): boolean {
  const { severities, window, box } = question
  const time = Date.parse(published_at!)
  const inWindow = window === null || (time >= Date.parse(window.from) && time < Date.parse(window.to))
  const inBox = box === null || (lng >= box[0] && lat >= box[1] && lng <= box[2] && lat <= box[3])
  return (
    inWindow && inBox && isInShapes(question, lat, lng) && (severities.length === 0 || severities.includes(severity))
  )
}
