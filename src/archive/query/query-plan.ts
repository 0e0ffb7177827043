import { cellsIn } from '../../filter/cell-grid.ts'
import type { Filter } from '../../filter/filter.ts'
import { boundingBoxOf, inCircle, publishedFrom } from '../../filter/matches.ts'
import { regionTester, routeTester } from '../../filter/shapes.ts'
import { type Box, isInBox } from '../../lib/geometry.ts'
import { type Columns, type Dictionary, hundredths } from '../columns/columns.ts'
import { mercatorBoxAround } from '../columns/web-mercator.ts'
import type { Dimension } from '../segments/segment.ts'

/** More cells than this do not help: nearly everything lies in them. */
const MAX_CELLS = 300

export type SlotTest = (slot: number) => boolean

/** A test that both pass; null if there is none. */
export function allOf(one: SlotTest | null, other: SlotTest | null): SlotTest | null {
  if (one === null || other === null) return one ?? other
  return (slot) => one(slot) && other(slot)
}

/** A filter, translated into the numbers of the archive's columns at one moment. */
export interface QueryPlan {
  readonly publishedFrom: number
  readonly publishedTo: number
  /** For each indexed dimension that the filter restricts, the accepted values. */
  readonly wanted: readonly { readonly dimension: Dimension; readonly values: readonly number[] }[]
  /**
   * Tells whether the slot matches, apart from the publication window and the shapes. Skips the
   * dimensions in `known` (`DIMENSION_BITS`), which postings decided: reading them only waits for
   * memory.
   */
  readonly matches: (slot: number, known: number) => boolean
  /**
   * Tells whether the slot is in the polygon, near the route and near a site; null if the filter
   * has none.
   */
  readonly shape: SlotTest | null
}

/** `area` only reduces the candidates; some outside it may remain. */
export function planQuery(filter: Filter, columns: Columns, now: number, area: Box | null = null): QueryPlan {
  const box = intersection(boundingBoxOf(filter), area)
  const wanted: { dimension: Dimension; values: readonly number[] }[] = []
  const want = (dimension: Dimension, values: readonly number[] | null) => values && wanted.push({ dimension, values })
  want('state', numbersOf(filter.states, columns.states))
  want('lga', numbersOf(filter.lgas, columns.lgas))
  want('type', numbersOf(filter.types, columns.types))
  want('severity', numbersOf(filter.severities, columns.severities))
  const cells = box && cellsIn(box)
  if (cells && cells.length <= MAX_CELLS) want('cell', cells)
  return {
    publishedFrom: publishedFrom(filter, now),
    publishedTo: filter.publishedTo ?? Number.POSITIVE_INFINITY,
    wanted,
    matches: slotMatcher(filter, columns),
    shape: shapeMatcher(filter, columns),
  }
}

function intersection(one: Box | null, other: Box | null): Box | null {
  if (one === null || other === null) return one ?? other
  return {
    west: Math.max(one.west, other.west),
    south: Math.max(one.south, other.south),
    east: Math.min(one.east, other.east),
    north: Math.min(one.north, other.north),
  }
}

function numbersOf(texts: readonly string[] | null, dictionary: Dictionary): readonly number[] | null {
  if (texts === null) return null
  return texts.map((text) => dictionary.numberOf(text)).filter((number) => number !== undefined)
}

/** One bit per dimension. A cell is coarser than a box, so it never proves a match. */
export const DIMENSION_BITS: Readonly<Record<Dimension, number>> = { state: 1, lga: 2, type: 4, severity: 8, cell: 0 }

const NOWHERE: Box = { west: 0, south: 0, east: 0, north: 0 }

function slotMatcher(filter: Filter, columns: Columns): QueryPlan['matches'] {
  const states = membershipMask(filter.states, columns.states)
  const lgas = membershipMask(filter.lgas, columns.lgas)
  const types = membershipMask(filter.types, columns.types)
  const severities = membershipMask(filter.severities, columns.severities)
  const datasets = membershipMask(filter.datasets, columns.datasets)
  const { state, lga, type, severity, dataset, confidence, occurredAt, lat, lng } = columns
  const { confidenceHundredths, x, y } = columns
  const { minConfidence, maxConfidence, occurredFrom, occurredTo, box, circle } = filter
  const leastConfidence = minConfidence === null ? 0 : hundredths(minConfidence)
  const around = boundingBoxOf(filter)
  const { west, south, east, north } = around ? mercatorBoxAround(around) : NOWHERE
  return (slot, known) =>
    (states === null || (known & DIMENSION_BITS.state) !== 0 || states[state[slot]!] === 1) &&
    (lgas === null || (known & DIMENSION_BITS.lga) !== 0 || lgas[lga[slot]!] === 1) &&
    (types === null || (known & DIMENSION_BITS.type) !== 0 || types[type[slot]!] === 1) &&
    (severities === null || (known & DIMENSION_BITS.severity) !== 0 || severities[severity[slot]!] === 1) &&
    (datasets === null || datasets[dataset[slot]!] === 1) &&
    confidenceHundredths[slot]! >= leastConfidence &&
    (around === null || (y[slot]! >= north && y[slot]! <= south && x[slot]! >= west && x[slot]! <= east)) &&
    (minConfidence === null || confidence[slot]! >= minConfidence) &&
    (maxConfidence === null || confidence[slot]! <= maxConfidence) &&
    (occurredFrom === null || occurredAt[slot]! >= occurredFrom) &&
    (occurredTo === null || occurredAt[slot]! < occurredTo) &&
    (box === null || isInBox(box, lat[slot]!, lng[slot]!)) &&
    (circle === null || inCircle(circle, lat[slot]!, lng[slot]!))
}

function shapeMatcher({ region, route, sites }: Filter, columns: Columns): QueryPlan['shape'] {
  if (region === null && route === null && sites === null) return null
  const { lat, lng } = columns
  const isInRegion = region && regionTester(region)
  const isNearRoute = route && routeTester(route)
  return (slot) =>
    (isInRegion === null || isInRegion(lat[slot]!, lng[slot]!)) &&
    (isNearRoute === null || isNearRoute(lat[slot]!, lng[slot]!)) &&
    (sites === null || sites.has(lat[slot]!, lng[slot]!))
}

/** Returns, for each number of a dictionary, 1 if it is wanted. */
export function membershipMask(texts: readonly string[], dictionary: Dictionary): Uint8Array
export function membershipMask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null
export function membershipMask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null {
  const wanted = numbersOf(texts, dictionary)
  if (wanted === null) return null
  const bits = new Uint8Array(dictionary.size)
  for (const number of wanted) bits[number] = 1
  return bits
}
