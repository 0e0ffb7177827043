import { type IncidentType, SEVERITIES, type Severity, TYPE_NAMES } from '../domain/taxonomy.ts'
import type { LiveFilter } from '../filter/filter/filter.ts'
import { boundingBoxOf, isAllowed, matchesArea, matchesFields } from '../filter/filter/matches.ts'
import type { IndexedFields } from '../filter/indexed-fields.ts'
import { enlarge } from '../lib/enlarge.ts'

/** The bits that severities leave. Beyond 28, types share bits and the exact check decides. */
const TYPE_BITS = 32 - SEVERITIES.length
const BITS_ARE_EXACT = TYPE_NAMES.length <= TYPE_BITS
const TYPE_BIT = new Map(TYPE_NAMES.map((type, at) => [type, 1 << (at % TYPE_BITS)]))
const SEVERITY_BIT = new Map(SEVERITIES.map((severity, at) => [severity, 1 << (TYPE_BITS + at)]))

const INITIAL_CAPACITY = 4
/** Larger than the globe, in hundredths of a degree. */
const ANY_BOX = [-20_000, -20_000, 20_000, 20_000] as const

interface HasFilter {
  readonly filter: LiveFilter
}

/**
 * The filters of one bucket, with columns beside them that decide most cases: a thousand filters
 * are checked without reading one, because each read waits for memory.
 */
export class Bucket<Entry extends HasFilter> {
  readonly #entries: Entry[] = []
  /** One bit for each accepted type and severity. */
  #bits = new Int32Array(INITIAL_CAPACITY)
  #minConfidence = new Float64Array(INITIAL_CAPACITY)
  /** West, south, east and north in hundredths, rounded down like the incident's coordinates. */
  #boxes = new Int16Array(INITIAL_CAPACITY * 4)
  /** 1 if the columns and the bucket decide the whole filter. */
  #fullyDecided = new Uint8Array(INITIAL_CAPACITY)

  get size(): number {
    return this.#entries.length
  }

  /** `placeDecided`: whether membership in this bucket already decides where the filter applies. */
  addEntry(entry: Entry, placeDecided: boolean): void {
    const at = this.#entries.push(entry) - 1
    if (at === this.#bits.length) this.#grow()
    const { types, severities, minConfidence, maxConfidence } = entry.filter
    const box = boundingBoxOf(entry.filter)
    this.#bits[at] = bitsOf(TYPE_BIT, types) | bitsOf(SEVERITY_BIT, severities)
    this.#minConfidence[at] = minConfidence ?? 0
    this.#boxes.set(box ? [box.west, box.south, box.east, box.north].map(hundredths) : ANY_BOX, at * 4)
    this.#fullyDecided[at] = placeDecided && maxConfidence === null && BITS_ARE_EXACT ? 1 : 0
  }

  removeEntry(entry: Entry): void {
    const at = this.#entries.indexOf(entry)
    const last = this.#entries.pop()!
    const from = this.#entries.length
    if (at === from) return
    this.#entries[at] = last
    this.#bits[at] = this.#bits[from]!
    this.#minConfidence[at] = this.#minConfidence[from]!
    this.#boxes.copyWithin(at * 4, from * 4, from * 4 + 4)
    this.#fullyDecided[at] = this.#fullyDecided[from]!
  }

  addMatches(fields: IndexedFields, found: Entry[]): void {
    const bits = TYPE_BIT.get(fields.type)! | SEVERITY_BIT.get(fields.severity)!
    const { confidence } = fields
    const lat = hundredths(fields.lat)
    const lng = hundredths(fields.lng)
    const wanted = this.#bits
    const boxes = this.#boxes
    for (let at = 0, count = this.#entries.length; at < count; at++) {
      if ((wanted[at]! & bits) !== bits || this.#minConfidence[at]! > confidence) continue
      const box = at * 4
      if (lng < boxes[box]! || lat < boxes[box + 1]! || lng > boxes[box + 2]! || lat > boxes[box + 3]!) continue
      const entry = this.#entries[at]!
      if (this.#fullyDecided[at] === 1 || matchesRest(entry.filter, fields)) found.push(entry)
    }
  }

  #grow(): void {
    const capacity = this.#bits.length * 2
    this.#bits = enlarge(this.#bits, capacity)
    this.#minConfidence = enlarge(this.#minConfidence, capacity)
    this.#boxes = enlarge(this.#boxes, capacity * 4)
    this.#fullyDecided = enlarge(this.#fullyDecided, capacity)
  }
}

/**
 * Checks the conditions that neither columns nor buckets decide; a `LiveFilter` has none on time.
 */
function matchesRest(filter: LiveFilter, fields: IndexedFields): boolean {
  if (!BITS_ARE_EXACT) return matchesFields(filter, fields, fields.publishedAt)
  return (
    (filter.maxConfidence === null || fields.confidence <= filter.maxConfidence) &&
    isAllowed(filter.states, fields.state) &&
    isAllowed(filter.lgas, fields.lga) &&
    matchesArea(filter, fields.lat, fields.lng)
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

/** Rounds down on both sides of a comparison: if a ≥ b, then hundredths(a) ≥ hundredths(b). */
function hundredths(value: number): number {
  return Math.floor(value * 100)
}
