import { type Box, boxAround, distanceKm, isInBox, KM_PER_DEGREE } from '../lib/geometry.ts'
import { phraseWords } from '../lib/search-terms.ts'
import { foldedWords } from '../lib/text.ts'
import { durationMs } from '../lib/time.ts'
import {
  type AnyFilter,
  canonicalObject,
  type FieldConditions,
  type Filter,
  type IndexedFields,
  type LiveFilter,
} from './filter.ts'
import { inRegion, nearRoute } from './shapes.ts'

/** Start of the window on `published_at`; `since` is relative to `now`. */
export function publishedFrom(filter: FieldConditions, now: number): number {
  return filter.since ? now - durationMs(filter.since) : (filter.publishedFrom ?? Number.NEGATIVE_INFINITY)
}

/** Defines the meaning of a filter; property tests compare every faster implementation with it. */
export function matches(filter: Filter, fields: IndexedFields, now: number): boolean {
  return matchesFields(filter, fields, now)
}

/**
 * `ids` are the incident's own and those of the incidents that were merged into it: who follows one
 * of them follows what became of it.
 */
export function matchesLive(filter: LiveFilter, fields: IndexedFields, ids: readonly string[]): boolean {
  return follows(filter, ids) && matchesFields(filter, fields, fields.publishedAt)
}

/** Whether the filter leaves open which incidents it is about, or names one of these. */
export function follows({ incidents }: Pick<LiveFilter, 'incidents'>, ids: readonly string[]): boolean {
  return incidents === null || ids.some((id) => incidents.includes(id))
}

/** All conditions but those on ids. */
export function matchesFields(filter: FieldConditions, fields: IndexedFields, now: number): boolean {
  return (
    isAllowed(filter.states, fields.state) &&
    isAllowed(filter.lgas, fields.lga) &&
    isAllowed(filter.types, fields.type) &&
    isAllowed(filter.severities, fields.severity) &&
    fields.confidence >= (filter.minConfidence ?? 0) &&
    fields.confidence <= (filter.maxConfidence ?? 1) &&
    fields.publishedAt >= publishedFrom(filter, now) &&
    fields.publishedAt < (filter.publishedTo ?? Number.POSITIVE_INFINITY) &&
    fields.occurredAt >= (filter.occurredFrom ?? Number.NEGATIVE_INFINITY) &&
    fields.occurredAt < (filter.occurredTo ?? Number.POSITIVE_INFINITY) &&
    isAllowed(filter.datasets, fields.dataset) &&
    matchesArea(filter, fields.lat, fields.lng)
  )
}

type Shapes = Pick<FieldConditions, 'box' | 'circle' | 'region' | 'route' | 'sites'>

/** Tests the restrictions on coordinates: box, circle, region, route and sites. */
export function matchesArea({ box, circle, region, route, sites }: Shapes, lat: number, lng: number): boolean {
  return (
    (box === null || isInBox(box, lat, lng)) &&
    (circle === null || inCircle(circle, lat, lng)) &&
    (region === null || inRegion(region, lat, lng)) &&
    (route === null || nearRoute(route, lat, lng)) &&
    (sites === null || sites.has(lat, lng))
  )
}

/** A box around all matches, to find candidates; null if coordinates are not restricted. */
export function boundingBoxOf({ box, circle, region, route, sites }: Shapes): Box | null {
  return (
    box ?? (circle && boxAround(circle.lat, circle.lng, circle.radiusKm)) ?? (region ?? route ?? sites)?.box ?? null
  )
}

export function inCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean {
  const certain = surelyInCircle(circle, lat, lng)
  return certain === null ? distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm : certain
}

const DEGREE = Math.PI / 180
/** Exceeds the plane's relative error in squared distance, below `MAX_LATITUDE` and 500 km. */
const PLANE_ERROR = 0.02
const MAX_LATITUDE = 60

/** Decides on a plane, at a third of a great circle's cost; null near the edge: too inexact. */
function surelyInCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean | null {
  if (Math.abs(circle.lat) > MAX_LATITUDE || Math.abs(lat) > MAX_LATITUDE || Math.abs(lng - circle.lng) > 10)
    return null
  const north = lat - circle.lat
  const east = (lng - circle.lng) * Math.cos(((lat + circle.lat) / 2) * DEGREE)
  const share = ((north * north + east * east) * KM_PER_DEGREE * KM_PER_DEGREE) / (circle.radiusKm * circle.radiusKm)
  if (share < 1 - PLANE_ERROR) return true
  return share > 1 + PLANE_ERROR ? false : null
}

export function isAllowed<Value>(wanted: readonly Value[] | null, value: Value | null): boolean {
  return wanted === null || (value !== null && wanted.includes(value))
}

/**
 * Defines the meaning of `q`, in any case: each word begins a word of the summary, and the words of
 * each phrase stand side by side in it.
 */
export function summaryHasTerms(summary: string, terms: readonly string[]): boolean {
  const inSummary = foldedWords(summary)
  return terms.every((term) => {
    const phrase = phraseWords(term)
    if (phrase === null) return inSummary.some((word) => word.startsWith(term))
    return inSummary.some((_, at) => phrase.every((word, index) => inSummary[at + index] === word))
  })
}

/** One restriction of a filter, held against one incident. */
export interface Condition {
  /** The parameter that makes it. */
  readonly condition: string
  readonly wanted: unknown
  readonly actual: unknown
  readonly holds: boolean
}

/**
 * The conditions of a filter, each by itself: `matches` is true exactly if all hold. Shapes are not
 * repeated in `wanted`, because they may have a thousand positions. `ids` as in `matchesLive`.
 */
export function conditionsOf(
  filter: AnyFilter,
  fields: IndexedFields,
  now: number,
  ids: readonly string[] = [],
): Condition[] {
  const wanted = canonicalObject(filter)
  const { lat, lng, confidence } = fields
  const { states, lgas, types, severities, minConfidence, maxConfidence, box, circle, region, route, sites } = filter
  const from = publishedFrom(filter, now)
  const point = { lat, lng }
  const published = new Date(fields.publishedAt).toISOString()
  const occurred = new Date(fields.occurredAt).toISOString()
  const { publishedAt, occurredAt } = fields
  const { incidents, publishedTo, occurredFrom, occurredTo, datasets } = filter
  return [
    incidents && of('incident', incidents, ids, follows({ incidents }, ids)),
    states && listed('state', states, fields.state),
    lgas && listed('lga', lgas, fields.lga),
    types && listed('type', types, fields.type),
    severities && listed('severity', severities, fields.severity),
    of('min_confidence', minConfidence, confidence, confidence >= (minConfidence ?? 0)),
    of('max_confidence', maxConfidence, confidence, confidence <= (maxConfidence ?? 1)),
    of('since', wanted.since, published, publishedAt >= from),
    of('from', wanted.from, published, publishedAt >= from),
    of('to', wanted.to, published, publishedAt < (publishedTo ?? Infinity)),
    of('occurred_from', wanted.occurred_from, occurred, occurredAt >= (occurredFrom ?? -Infinity)),
    of('occurred_to', wanted.occurred_to, occurred, occurredAt < (occurredTo ?? Infinity)),
    datasets && listed('dataset', datasets, fields.dataset),
    box && of('bbox', wanted.bbox, point, isInBox(box, lat, lng)),
    circle &&
      of('near', { lat: circle.lat, lng: circle.lng, radius_km: circle.radiusKm }, point, inCircle(circle, lat, lng)),
    region && of('polygon', 'inside the polygon', point, inRegion(region, lat, lng)),
    route && of('route', `within ${route.bufferKm} km of the route`, point, nearRoute(route, lat, lng)),
    sites && of('sites', `within the radius of one of ${sites.size} sites`, point, sites.has(lat, lng)),
  ].filter((each) => each !== null)
}

function listed<Value>(condition: string, wanted: readonly Value[], actual: Value | null): Condition {
  return { condition, wanted, actual, holds: isAllowed(wanted, actual) }
}

/** Null if the filter has no such condition. */
function of(condition: string, wanted: unknown, actual: unknown, holds: boolean): Condition | null {
  return wanted === null || wanted === undefined ? null : { condition, wanted, actual, holds }
}

// Exceeds Nigeria and its waters. Points outside fall into edge cells; an exact test follows.
const WEST = 2
const SOUTH = 3
const CELLS_PER_DEGREE = 4
const COLUMNS = 13 * CELLS_PER_DEGREE
const ROWS = 11.5 * CELLS_PER_DEGREE

export const CELLS = COLUMNS * ROWS

function column(lng: number): number {
  return Math.min(COLUMNS - 1, Math.max(0, Math.floor((lng - WEST) * CELLS_PER_DEGREE)))
}

function row(lat: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((lat - SOUTH) * CELLS_PER_DEGREE)))
}

export function cellOf(lat: number, lng: number): number {
  return row(lat) * COLUMNS + column(lng)
}

export function cellsIn(box: Box): number[] {
  const cells: number[] = []
  for (let up = row(box.south); up <= row(box.north); up++) {
    for (let across = column(box.west); across <= column(box.east); across++) cells.push(up * COLUMNS + across)
  }
  return cells
}

/** A box around the cell's points; null for edge cells, which hold outside points. */
export function cellBox(cell: number): Box | null {
  const [up, across] = [Math.floor(cell / COLUMNS), cell % COLUMNS]
  if (up === 0 || up === ROWS - 1 || across === 0 || across === COLUMNS - 1) return null
  const [south, west] = [SOUTH + up / CELLS_PER_DEGREE, WEST + across / CELLS_PER_DEGREE]
  return { west, south, east: west + 1 / CELLS_PER_DEGREE, north: south + 1 / CELLS_PER_DEGREE }
}

/** Within `HALF_CELL_KM` of the cell's points; null for edge cells. */
export function cellCentre(cell: number): { readonly lat: number; readonly lng: number } | null {
  const box = cellBox(cell)
  return box && { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 }
}

/** Half a cell's diagonal at the equator, where cells are widest, rounded up. */
export const HALF_CELL_KM = 20
