import type { Period } from '../domain/calendar.ts'
import type { Group } from '../domain/grouping.ts'
import { CATEGORY_NAMES, categoryOf, SEVERITIES, TYPE_NAMES } from '../domain/taxonomy.ts'
import type { Columns } from './columns.ts'
import type { Dictionary } from './dictionary.ts'
import { eachBatch, type MatchQuery } from './matches.ts'
import type { PublishedOrder } from './published-order.ts'
import { SEGMENT_CAPACITY } from './segment.ts'
import { TollSums } from './tolls.ts'

export interface TallyQuery extends MatchQuery {
  readonly groups: readonly Group[]
  /** Those of the group that is a time, without a gap; every match must lie in one. */
  readonly periods: readonly Period[]
}

/** How many, for each pair of a value of the first group and one of the second: at `first * (values of the second) + second`. */
export interface Tally {
  /** For each of two groups, what its numbers stand for; one value alone where there is no second group. */
  readonly values: readonly [readonly string[], readonly string[]]
  readonly sums: TollSums
  /** When the first of all matches was published; null where nothing matches. */
  readonly oldest: number | null
}

/** One of the things counted by: which of its values each slot has. */
interface Axis {
  readonly values: readonly string[]
  /** Adds `factor` times the value's number to each slot's place in `target`. */
  readonly add: (slots: Uint32Array, target: Int32Array, factor: number) => void
}

const places = new Int32Array(SEGMENT_CAPACITY)

export function tally(query: TallyQuery, columns: Columns, order: PublishedOrder): Tally {
  const [first, second] = [axisFor(query.groups[0]!, query, columns), axisFor(query.groups[1], query, columns)]
  const sums = new TollSums(first.values.length * second.values.length)
  let oldest: number | null = null
  eachBatch(query, columns, order, (slots) => {
    oldest ??= columns.publishedAt[slots[0]!]!
    places.fill(0, 0, slots.length)
    first.add(slots, places, second.values.length)
    second.add(slots, places, 1)
    columns.tolls.addTo(sums, slots, places)
  })
  return { values: [first.values, second.values], sums, oldest }
}

function axisFor(group: Group | undefined, { periods }: TallyQuery, columns: Columns): Axis {
  switch (group) {
    case undefined:
      return { values: [''], add: () => {} }
    case 'state':
      return columnAxis(textsOf(columns.states), columns.state)
    case 'lga':
      return columnAxis(textsOf(columns.lgas), columns.lga)
    case 'type':
      return columnAxis(TYPE_NAMES, columns.type)
    case 'severity':
      return columnAxis(SEVERITIES, columns.severity)
    case 'category':
      return categoryAxis(columns.type)
    default:
      return periodAxis(periods, columns.publishedAt)
  }
}

function textsOf(dictionary: Dictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, number) => dictionary.textOf(number))
}

function columnAxis(values: readonly string[], column: Uint8Array | Uint16Array): Axis {
  return {
    values,
    add(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += column[slots[index]!]! * factor
    },
  }
}

function categoryAxis(types: Uint8Array): Axis {
  const categories = Uint8Array.from(TYPE_NAMES, (type) => CATEGORY_NAMES.indexOf(categoryOf(type)))
  return {
    values: CATEGORY_NAMES,
    add(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += categories[types[slots[index]!]!]! * factor
    },
  }
}

/** Matches come in published order, so the period only ever moves on: nothing is computed from a date. */
function periodAxis(periods: readonly Period[], publishedAt: Float64Array): Axis {
  const ends = Float64Array.from(periods, ({ end }) => end)
  let period = 0
  return {
    values: periods.map(({ name }) => name),
    add(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) {
        const time = publishedAt[slots[index]!]!
        while (time >= ends[period]!) period++
        target[index]! += period * factor
      }
    },
  }
}
