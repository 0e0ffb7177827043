import { type Box, inBox } from '../../lib/geometry/geometry.ts'
import { cellsIn } from '../../query/cell-grid.ts'
import type { Filter } from '../../query/filter/filter.ts'
import { boundingBoxOf, inCircle, publishedFrom } from '../../query/filter/matches.ts'
import { inRegion } from '../../query/filter/region.ts'
import { nearRoute } from '../../query/filter/route.ts'
import { type Columns, hundredths } from '../columns/columns.ts'
import type { Dictionary } from '../columns/dictionary.ts'
import { mercatorBoxAround } from '../columns/web-mercator.ts'
import type { Dimension } from '../segments/segment.ts'

/** More cells than this are no help: nearly everything lies in them. */
const MOST_CELLS = 300

/** A filter, translated into the archive's numbers at one moment. */
export interface QueryPlan {
  readonly publishedFrom: number
  readonly publishedTo: number
  /** For each indexed dimension that the filter restricts, the values it takes. */
  readonly wanted: readonly { readonly dimension: Dimension; readonly values: readonly number[] }[]
  /**
   * Whether the incident in this slot matches, published window aside. Dimensions in `known` (bits, as in `DIMENSION_BITS`) hold
   * already, by the postings: looking at their columns again would only wait for memory.
   */
  readonly holds: (slot: number, known: number) => boolean
}

/** `area` only helps to find candidates; what lies outside it may be among them. */
export function planQuery(filter: Filter, columns: Columns, now: number, area: Box | null = null): QueryPlan {
  const box = common(boundingBoxOf(filter), area)
  const wanted: { dimension: Dimension; values: readonly number[] }[] = []
  const want = (dimension: Dimension, values: readonly number[] | null) => values && wanted.push({ dimension, values })
  want('state', numbers(filter.states, columns.states))
  want('lga', numbers(filter.lgas, columns.lgas))
  want('type', numbers(filter.types, columns.types))
  want('severity', numbers(filter.severities, columns.severities))
  const cells = box && cellsIn(box)
  if (cells && cells.length <= MOST_CELLS) want('cell', cells)
  return {
    publishedFrom: publishedFrom(filter, now),
    publishedTo: filter.publishedTo ?? Number.POSITIVE_INFINITY,
    wanted,
    holds: checkFor(filter, columns),
  }
}

function common(one: Box | null, other: Box | null): Box | null {
  if (one === null || other === null) return one ?? other
  return {
    west: Math.max(one.west, other.west),
    south: Math.max(one.south, other.south),
    east: Math.min(one.east, other.east),
    north: Math.min(one.north, other.north),
  }
}

function numbers(texts: readonly string[] | null, dictionary: Dictionary): readonly number[] | null {
  if (texts === null) return null
  return texts.map((text) => dictionary.numberOf(text)).filter((number) => number !== undefined)
}

/** A cell is coarser than a box: it is never known for good. */
export const DIMENSION_BITS: Readonly<Record<Dimension, number>> = { state: 1, lga: 2, type: 4, severity: 8, cell: 0 }

const NOWHERE: Box = { west: 0, south: 0, east: 0, north: 0 }

function checkFor(filter: Filter, columns: Columns): QueryPlan['holds'] {
  const states = mask(filter.states, columns.states)
  const lgas = mask(filter.lgas, columns.lgas)
  const types = mask(filter.types, columns.types)
  const severities = mask(filter.severities, columns.severities)
  const { state, lga, type, severity, confidence, occurredAt, lat, lng } = columns
  const { confidenceHundredths, x, y } = columns
  const { minConfidence, maxConfidence, occurredFrom, occurredTo, box, circle, region, route } = filter
  const leastConfidence = minConfidence === null ? 0 : hundredths(minConfidence)
  const around = boundingBoxOf(filter)
  const { west, south, east, north } = around ? mercatorBoxAround(around) : NOWHERE
  return (slot, known) =>
    (states === null || (known & DIMENSION_BITS.state) !== 0 || states[state[slot]!] === 1) &&
    (lgas === null || (known & DIMENSION_BITS.lga) !== 0 || lgas[lga[slot]!] === 1) &&
    (types === null || (known & DIMENSION_BITS.type) !== 0 || types[type[slot]!] === 1) &&
    (severities === null || (known & DIMENSION_BITS.severity) !== 0 || severities[severity[slot]!] === 1) &&
    confidenceHundredths[slot]! >= leastConfidence &&
    (around === null || (y[slot]! >= north && y[slot]! <= south && x[slot]! >= west && x[slot]! <= east)) &&
    (minConfidence === null || confidence[slot]! >= minConfidence) &&
    (maxConfidence === null || confidence[slot]! <= maxConfidence) &&
    (occurredFrom === null || occurredAt[slot]! >= occurredFrom) &&
    (occurredTo === null || occurredAt[slot]! < occurredTo) &&
    (box === null || inBox(box, lat[slot]!, lng[slot]!)) &&
    (circle === null || inCircle(circle, lat[slot]!, lng[slot]!)) &&
    (region === null || inRegion(region, lat[slot]!, lng[slot]!)) &&
    (route === null || nearRoute(route, lat[slot]!, lng[slot]!))
}

/** For each number of a dictionary, 1 where it is wanted. */
export function mask(texts: readonly string[], dictionary: Dictionary): Uint8Array
export function mask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null
export function mask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null {
  const wanted = numbers(texts, dictionary)
  if (wanted === null) return null
  const bits = new Uint8Array(dictionary.size)
  for (const number of wanted) bits[number] = 1
  return bits
}
