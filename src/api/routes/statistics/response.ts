import type { Aggregation } from '../../../archive/aggregate/aggregate.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import { CasualtySums, type CasualtyTotals } from '../../../archive/columns/casualty-column.ts'
import type { Places } from '../../../domain/places.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { type Group, type Grouping, isTimeGroup } from '../../../filter/grouping.ts'
import { listPeriods, type Period } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import { durationMs } from '../../../lib/time.ts'
import { hashOf } from '../../responses/cached-body.ts'
import { metaJson } from '../../responses/meta.ts'
import { labelsOf } from './labels.ts'
import { MAX_BUCKETS, refuseTooManyBuckets, windowOf } from './window.ts'

export interface RenderedStatistics {
  readonly body: Buffer
  /** Without new events the statistics are the same until then. */
  readonly validUntil: number
  /** With the query, determines the content: the buckets and the totals. */
  readonly identity: string
  /** The last event that the statistics include. */
  readonly seq: number
  /** All that there are, though the body may have fewer. */
  readonly buckets: number
}

const BUCKETS_PER_STEP = 200

/** Totals of each pair of values, one row per value of the first group. */
interface PairTotals extends Pick<Aggregation, 'values'> {
  readonly numbers: readonly CasualtyTotals[]
}

/** Writes up to `most` buckets; more periods than that are refused. */
export function* renderStatistics(
  view: ArchiveView,
  { groups, timeZone, filter }: Grouping,
  places: Places,
  now: number,
  most = MAX_BUCKETS,
): Steps<RenderedStatistics> {
  const unit = groups.find(isTimeGroup)
  const window = unit ? windowOf(filter, view, now) : null
  if (unit && window) refuseTooManyBuckets({ groups, timeZone, filter }, unit, window, places, most)
  const periods = unit && window ? yield* listPeriods(unit, window.from, window.to, timeZone) : []
  const { values, sums, oldest } = yield* view.aggregate({ groups, filter, now, periods })
  const numbers = yield* totalsOf(sums, values[0].length * values[1].length)
  const { parts, count } = yield* bucketsOf({ values, numbers }, groups, places, periods, most)
  const total = `{${numbersText(totalOf(sums, numbers.length))}}`
  const head = Buffer.from(`{"group_by":${JSON.stringify(groups)},"data":[`)
  const tail = Buffer.from(`],"total":${total},"meta":${metaJson(view)}}`)
  const data = Buffer.concat(parts)
  return {
    body: Buffer.concat([head, data, tail]),
    validUntil: validUntil(filter, oldest, periods),
    identity: `${total} ${hashOf(data)}`,
    seq: view.head.seq,
    buckets: count,
  }
}

function* totalsOf(sums: CasualtySums, count: number): Steps<CasualtyTotals[]> {
  const numbers: CasualtyTotals[] = []
  while (numbers.length < count) {
    numbers.push(sums.at(numbers.length))
    if (numbers.length % BUCKETS_PER_STEP === 0) yield
  }
  return numbers
}

/** Concatenates strings: an object per bucket would cost more than the counting. */
function* bucketsOf(
  pairs: PairTotals,
  groups: readonly Group[],
  places: Places,
  periods: readonly Period[],
  most: number,
): Steps<{ parts: Buffer[]; count: number }> {
  const first = yield* labelsOf(groups[0], pairs.values[0], places, periods)
  const second = yield* labelsOf(groups[1], pairs.values[1], places, periods)
  const [rows, columns] = [orderOf(pairs, 0, groups[0]), orderOf(pairs, 1, groups[1])]
  const withEmpty = groups.some(isTimeGroup)
  const parts: Buffer[] = []
  let separator = ''
  let text = ''
  let pairsSeen = 0
  let count = 0
  for (const row of rows) {
    for (const column of columns) {
      if (++pairsSeen % BUCKETS_PER_STEP === 0) {
        parts.push(Buffer.from(text))
        text = ''
        yield
      }
      const numbers = pairs.numbers[row * pairs.values[1].length + column]!
      if (!withEmpty && numbers.count === 0) continue
      if (++count > most) continue
      text += `${separator}{${first[row]}${second[column]}${numbersText(numbers)}}`
      separator = ','
    }
  }
  return { parts: [...parts, Buffer.from(text)], count }
}

/** All periods; severities with incidents, in order; other values with incidents, most first. */
function orderOf({ values, numbers }: PairTotals, axis: 0 | 1, group: Group | undefined): number[] {
  const all = values[axis].map((_, number) => number)
  if (group === undefined || isTimeGroup(group)) return all
  const width = values[1].length
  const totals = new Float64Array(all.length)
  for (const [index, { count }] of numbers.entries())
    totals[axis === 0 ? Math.floor(index / width) : index % width]! += count
  const present = all.filter((number) => totals[number]! > 0)
  if (group === 'severity') return present
  const key = (number: number) => values[axis][number]!
  return present.sort((one, other) => totals[other]! - totals[one]! || (key(one) < key(other) ? -1 : 1))
}

function totalOf(sums: CasualtySums, count: number): CasualtyTotals {
  const total = new CasualtySums(1)
  for (let index = 0; index < count; index++) total.addBucket(0, sums, index)
  return total.at(0)
}

function numbersText(sums: CasualtyTotals): string {
  const { count, killed, killedKnown, injured, injuredKnown, abducted, abductedKnown } = sums
  const casualties = `"killed":${killedKnown ? killed : null},"injured":${injuredKnown ? injured : null},"abducted":${abductedKnown ? abducted : null}`
  const known = `"killed":${killedKnown},"injured":${injuredKnown},"abducted":${abductedKnown}`
  return `"count":${count},"casualties":{${casualties}},"casualties_known":{${known}}`
}

/** A `since` window loses its oldest incident, then its first period, and gains a last one. */
function validUntil({ since }: Filter, oldest: number | null, periods: readonly Period[]): number {
  if (since === null) return Number.POSITIVE_INFINITY
  const span = durationMs(since)
  const ends = [periods.at(-1)?.end, periods[0] && periods[0].end + span, oldest === null ? undefined : oldest + span]
  return Math.min(...ends.filter((end) => end !== undefined))
}
