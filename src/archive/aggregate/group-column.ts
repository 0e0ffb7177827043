import { CATEGORY_NAMES, categoryOf, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { Period } from '../../lib/time/calendar.ts'
import type { Group } from '../../query/grouping.ts'
import type { Columns } from '../columns/columns.ts'
import type { Dictionary } from '../columns/dictionary.ts'

/** One of the things counted by: which of its values each slot has. */
export interface Axis {
  readonly values: readonly string[]
  /** Adds `factor` times the value's number to each slot's place in `target`. */
  readonly add: (slots: Uint32Array, target: Int32Array, factor: number) => void
}

/** `periods` are those of the group where it is a time. */
export function axisFor(group: Group | undefined, periods: readonly Period[], columns: Columns): Axis {
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

/** Slots come in published order, so those of one period stand together: where it ends is searched for, no date is looked at twice. */
function periodAxis(periods: readonly Period[], publishedAt: Float64Array): Axis {
  const ends = Float64Array.from(periods, ({ end }) => end)
  let period = 0
  return {
    values: periods.map(({ name }) => name),
    add(slots, target, factor) {
      for (let start = 0; start < slots.length; ) {
        while (publishedAt[slots[start]!]! >= ends[period]!) period++
        const end = firstFrom(ends[period]!, slots, start, publishedAt)
        for (let index = start; index < end; index++) target[index]! += period * factor
        start = end
      }
    },
  }
}

/** The first place from `start` on whose slot was published at that time or later. */
function firstFrom(time: number, slots: Uint32Array, start: number, publishedAt: Float64Array): number {
  let low = start
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (publishedAt[slots[middle]!]! < time) low = middle + 1
    else high = middle
  }
  return low
}
