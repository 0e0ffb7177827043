import { type IncidentType, SEVERITIES, type Severity, TYPE_NAMES } from '../domain/taxonomy.ts'
import type { LiveFilter } from '../query/filter/filter.ts'
import { boundingBoxOf, isAllowed, matches, matchesArea } from '../query/filter/matches.ts'
import type { IndexedFields } from '../query/indexed-fields.ts'

/** Types share what bits the severities leave: were there ever more than 28, two would share one, and the exact check decide. */
const TYPE_BITS = 32 - SEVERITIES.length
const BITS_ARE_EXACT = TYPE_NAMES.length <= TYPE_BITS
const TYPE_BIT = new Map(TYPE_NAMES.map((type, at) => [type, 1 << (at % TYPE_BITS)]))
const SEVERITY_BIT = new Map(SEVERITIES.map((severity, at) => [severity, 1 << (TYPE_BITS + at)]))

const FIRST_ROOM = 4
/** Wider than the globe, in hundredths of a degree. */
const ANY_BOX = [-20_000, -20_000, 20_000, 20_000] as const

interface Filtered {
  readonly filter: LiveFilter
}

/**
 * Filters that wait in the same place. Beside them, in columns, stands what decides about most of them at a glance: a thousand
 * filters are gone through without touching one, for each touched is a wait for memory.
 */
export class Bucket<Entry extends Filtered> {
  readonly #entries: Entry[] = []
  /** A bit for each type and severity that is wanted. */
  #bits = new Int32Array(FIRST_ROOM)
  #minConfidence = new Float64Array(FIRST_ROOM)
  /** West, south, east, north in hundredths, rounded down as the incident's place is. */
  #boxes = new Int16Array(FIRST_ROOM * 4)
  /** 1 where the columns and the bucket say all that the filter asks. */
  #settled = new Uint8Array(FIRST_ROOM)

  get size(): number {
    return this.#entries.length
  }

  /** `placed`: whether being in this bucket is all that the filter asks of the place. */
  add(entry: Entry, placed: boolean): void {
    const at = this.#entries.push(entry) - 1
    if (at === this.#bits.length) this.#grow()
    const { types, severities, minConfidence, maxConfidence } = entry.filter
    const box = boundingBoxOf(entry.filter)
    this.#bits[at] = bitsOf(TYPE_BIT, types) | bitsOf(SEVERITY_BIT, severities)
    this.#minConfidence[at] = minConfidence ?? 0
    this.#boxes.set(box ? [box.west, box.south, box.east, box.north].map(hundredths) : ANY_BOX, at * 4)
    this.#settled[at] = placed && maxConfidence === null && BITS_ARE_EXACT ? 1 : 0
  }

  remove(entry: Entry): void {
    const at = this.#entries.indexOf(entry)
    const last = this.#entries.pop()!
    const from = this.#entries.length
    if (at === from) return
    this.#entries[at] = last
    this.#bits[at] = this.#bits[from]!
    this.#minConfidence[at] = this.#minConfidence[from]!
    this.#boxes.copyWithin(at * 4, from * 4, from * 4 + 4)
    this.#settled[at] = this.#settled[from]!
  }

  /** Adds every entry that matches to `found`. */
  match(facts: IndexedFields, found: Entry[]): void {
    const bits = TYPE_BIT.get(facts.type)! | SEVERITY_BIT.get(facts.severity)!
    const { confidence } = facts
    const lat = hundredths(facts.lat)
    const lng = hundredths(facts.lng)
    const wanted = this.#bits
    const boxes = this.#boxes
    for (let at = 0, count = this.#entries.length; at < count; at++) {
      if ((wanted[at]! & bits) !== bits || this.#minConfidence[at]! > confidence) continue
      const box = at * 4
      if (lng < boxes[box]! || lat < boxes[box + 1]! || lng > boxes[box + 2]! || lat > boxes[box + 3]!) continue
      const entry = this.#entries[at]!
      if (this.#settled[at] === 1 || restHolds(entry.filter, facts)) found.push(entry)
    }
  }

  #grow(): void {
    const room = this.#bits.length * 2
    this.#bits = larger(this.#bits, room)
    this.#minConfidence = larger(this.#minConfidence, room)
    this.#boxes = larger(this.#boxes, room * 4)
    this.#settled = larger(this.#settled, room)
  }
}

/** What the columns do not say. A standing filter asks nothing of time. */
function restHolds(filter: LiveFilter, facts: IndexedFields): boolean {
  if (!BITS_ARE_EXACT) return matches(filter, facts, facts.publishedAt)
  return (
    (filter.maxConfidence === null || facts.confidence <= filter.maxConfidence) &&
    isAllowed(filter.states, facts.state) &&
    isAllowed(filter.lgas, facts.lga) &&
    matchesArea(filter, facts.lat, facts.lng)
  )
}

function bitsOf<Value extends IncidentType | Severity>(
  table: ReadonlyMap<Value, number>,
  wanted: readonly Value[] | null,
): number {
  let bits = 0
  for (const value of wanted ?? table.keys()) bits |= table.get(value)!
  return bits
}

/** Rounded down on both sides of a comparison: what is at least x is at least `hundredths(x)` too. */
function hundredths(value: number): number {
  return Math.floor(value * 100)
}

function larger<Column extends Float64Array | Int32Array | Int16Array | Uint8Array>(
  column: Column,
  room: number,
): Column {
  const copy = new (column.constructor as new (length: number) => Column)(room)
  copy.set(column)
  return copy
}
