import type { Filter } from '../domain/filter/filter.ts'
import { boxFor, inCircle } from '../domain/filter/matches.ts'
import { inRegion } from '../domain/filter/region.ts'
import { nearRoute } from '../domain/filter/route.ts'
import { type Box, inBox } from '../domain/geometry.ts'
import type { Columns } from './columns.ts'
import { KNOWN, mask } from './plan.ts'
import type { Dimension } from './segment.ts'
import { stepsAround } from './world.ts'

/** One thing that a filter asks, over many slots at once. */
export interface Narrowing {
  /** The dimension that it is about, as in `KNOWN`; 0 where no postings can answer it. */
  readonly known: number
  /** Moves the slots for which it holds to the front, in order; returns how many they are. */
  readonly run: (slots: Uint32Array, count: number) => number
}

/**
 * The filter as passes over columns, published window aside: what `Plan.holds` says of one slot. A list stops after its first few
 * matches and looks at one slot at a time; whoever looks at a million takes a third of the time this way, for each loop is short and hardly
 * branches.
 */
export function narrowingsFor(filter: Filter, columns: Columns): Narrowing[] {
  const { states, lgas, types, severities, box, circle, region, route } = filter
  const narrowings: Narrowing[] = []
  const one = (dimension: Dimension, column: Uint8Array | Uint16Array, wanted: Uint8Array | null) =>
    wanted && narrowings.push({ known: KNOWN[dimension], run: byMask(column, wanted) })
  one('severity', columns.severity, mask(severities, columns.severities))
  one('type', columns.type, mask(types, columns.types))
  one('state', columns.state, mask(states, columns.states))
  one('lga', columns.lga, mask(lgas, columns.lgas))
  const other = (run: Narrowing['run']) => narrowings.push({ known: 0, run })
  const around = boxFor(filter)
  if (around) other(byWorld(columns, around))
  const { minConfidence, maxConfidence, occurredFrom, occurredTo } = filter
  if (minConfidence !== null) other(atLeast(columns.confidence, minConfidence))
  if (maxConfidence !== null) other(atMost(columns.confidence, maxConfidence))
  if (occurredFrom !== null) other(atLeast(columns.occurredAt, occurredFrom))
  // Times are whole milliseconds.
  if (occurredTo !== null) other(atMost(columns.occurredAt, occurredTo - 1))
  const { lat, lng } = columns
  if (box) other(where((slot) => inBox(box, lat[slot]!, lng[slot]!)))
  if (circle) other(where((slot) => inCircle(circle, lat[slot]!, lng[slot]!)))
  if (region) other(where((slot) => inRegion(region, lat[slot]!, lng[slot]!)))
  if (route) other(where((slot) => nearRoute(route, lat[slot]!, lng[slot]!)))
  return narrowings
}

function byMask(column: Uint8Array | Uint16Array, wanted: Uint8Array): Narrowing['run'] {
  return (slots, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      slots[kept] = slot
      kept += wanted[column[slot]!]!
    }
    return kept
  }
}

function atLeast(column: Float64Array, least: number): Narrowing['run'] {
  return (slots, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      slots[kept] = slot
      kept += column[slot]! >= least ? 1 : 0
    }
    return kept
  }
}

function atMost(column: Float64Array, most: number): Narrowing['run'] {
  return (slots, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      slots[kept] = slot
      kept += column[slot]! <= most ? 1 : 0
    }
    return kept
  }
}

/** A little more than the box, on columns half the size: few then need the exact look. */
function byWorld({ x, y }: Columns, around: Box): Narrowing['run'] {
  const { west, east, north, south } = stepsAround(around)
  return (slots, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      slots[kept] = slot
      // Negative where it lies beyond one of the four sides.
      const beyond = (x[slot]! - west) | (east - x[slot]!) | (y[slot]! - north) | (south - y[slot]!)
      kept += (beyond >>> 31) ^ 1
    }
    return kept
  }
}

function where(holds: (slot: number) => boolean): Narrowing['run'] {
  return (slots, count) => {
    let kept = 0
    for (let index = 0; index < count; index++) if (holds(slots[index]!)) slots[kept++] = slots[index]!
    return kept
  }
}
