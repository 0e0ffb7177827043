import { CATEGORY_NAMES, categoryOf, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { Group } from '../../filter/grouping.ts'
import type { Period } from '../../lib/time/calendar.ts'
import type { Columns } from '../columns/columns.ts'
import type { Dictionary } from '../columns/dictionary.ts'

/** One group of an aggregation: its values, and which value each slot has. */
export interface GroupColumn {
  readonly values: readonly string[]
  /** Adds `factor` times the index of each slot's value to `target`. */
  readonly addIndexes: (slots: Uint32Array, target: Int32Array, factor: number) => void
}

/** `periods` are the group's values if it is a time. */
export function groupColumnFor(group: Group | undefined, periods: readonly Period[], columns: Columns): GroupColumn {
  switch (group) {
    case undefined:
      return { values: [''], addIndexes: () => {} }
    case 'state':
      return fromColumn(textsOf(columns.states), columns.state)
    case 'lga':
      return fromColumn(textsOf(columns.lgas), columns.lga)
    case 'type':
      return fromColumn(TYPE_NAMES, columns.type)
    case 'severity':
      return fromColumn(SEVERITIES, columns.severity)
    case 'category':
      return fromCategories(columns.type)
    default:
      return fromPeriods(periods, columns.publishedAt)
  }
}

function textsOf(dictionary: Dictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, number) => dictionary.textOf(number))
}

function fromColumn(values: readonly string[], column: Uint8Array | Uint16Array): GroupColumn {
  return {
    values,
    addIndexes(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += column[slots[index]!]! * factor
    },
  }
}

function fromCategories(types: Uint8Array): GroupColumn {
  const categories = Uint8Array.from(TYPE_NAMES, (type) => CATEGORY_NAMES.indexOf(categoryOf(type)))
  return {
    values: CATEGORY_NAMES,
    addIndexes(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += categories[types[slots[index]!]!]! * factor
    },
  }
}

/** Slots come in published order, so a binary search finds the end of each period. */
function fromPeriods(periods: readonly Period[], publishedAt: Float64Array): GroupColumn {
  const ends = Float64Array.from(periods, ({ end }) => end)
  let period = 0
  return {
    values: periods.map(({ name }) => name),
    addIndexes(slots, target, factor) {
      for (let start = 0; start < slots.length; ) {
        while (publishedAt[slots[start]!]! >= ends[period]!) period++
        const end = firstPublishedFrom(ends[period]!, slots, start, publishedAt)
        for (let index = start; index < end; index++) target[index]! += period * factor
        start = end
      }
    },
  }
}

/** Returns the first index from `start` on whose slot was published at that time or later. */
function firstPublishedFrom(time: number, slots: Uint32Array, start: number, publishedAt: Float64Array): number {
  let low = start
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (publishedAt[slots[middle]!]! < time) low = middle + 1
    else high = middle
  }
  return low
}
