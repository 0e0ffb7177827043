import { type IncidentType, SEVERITIES, type Severity, TYPE_NAMES } from '../domain/taxonomy.ts'
import type { FieldConditions, IndexedFields, LiveFilter } from '../filter/filter.ts'
import {
  boundingBoxOf,
  CELLS,
  cellBox,
  cellOf,
  cellsIn,
  isAllowed,
  matchesArea,
  matchesFields,
} from '../filter/matches.ts'
import type { Region, Route } from '../filter/shapes.ts'
import { enlarge } from '../lib/bytes.ts'
import { type Box, boxesIntersect, boxOf, distanceKm, expandBox, isInBox } from '../lib/geometry.ts'
import { isInRing, type Ring } from '../lib/rings.ts'

/** One filter, with all its subscribers. */
export interface Entry<Subscriber> {
  readonly filter: LiveFilter
  readonly subscribers: ReadonlySet<Subscriber>
}

interface HeldEntry<Subscriber> extends Entry<Subscriber> {
  readonly text: string
  readonly subscribers: Set<Subscriber>
}

/**
 * Finds the subscribers whose filters match an incident. Subscribers are watches or open streams;
 * the matcher only stores them. A filter shared by many is checked once.
 */
export class Matcher<Subscriber> {
  readonly #entries = new Map<string, HeldEntry<Subscriber>>()
  readonly #entryOf = new Map<Subscriber, HeldEntry<Subscriber>>()
  readonly #buckets = new Map<BucketName, Bucket<HeldEntry<Subscriber>>>()
  #followers = 0

  get size(): { readonly subscribers: number; readonly filters: number } {
    return { subscribers: this.#entryOf.size, filters: this.#entries.size }
  }

  /**
   * Whether a filter names incidents: if none does, nobody needs to know what was merged into one.
   */
  get followsIncidents(): boolean {
    return this.#followers > 0
  }

  /**
   * Adds the subscriber or replaces its filter. `text` is canonical; `filter` is called only for an
   * unknown text, so that a start with a million watches parses each filter once.
   */
  set(subscriber: Subscriber, text: string, filter: () => LiveFilter): void {
    const before = this.#entryOf.get(subscriber)
    if (before?.text === text) return
    const entry = this.#entries.get(text) ?? this.#addEntry(filter(), text)
    if (before) this.#removeSubscriber(before, subscriber)
    entry.subscribers.add(subscriber)
    this.#entryOf.set(subscriber, entry)
  }

  has(subscriber: Subscriber): boolean {
    return this.#entryOf.has(subscriber)
  }

  /** Returns whether the subscriber was there. */
  remove(subscriber: Subscriber): boolean {
    const entry = this.#entryOf.get(subscriber)
    if (!entry) return false
    this.#removeSubscriber(entry, subscriber)
    return this.#entryOf.delete(subscriber)
  }

  /**
   * Returns each matching entry once; also those that match one of the `earlier` versions: their
   * subscribers must learn that it changed. `ids` are those of the incident, as in `matchesLive`.
   */
  matchesFor(
    fields: IndexedFields,
    earlier: readonly IndexedFields[] = [],
    ids: readonly string[] = [],
  ): Entry<Subscriber>[] {
    const found = this.#findMatches(fields, ids)
    if (earlier.length === 0 && ids.length < 2) return found
    const all = new Set(found)
    for (const each of earlier) for (const entry of this.#findMatches(each, ids)) all.add(entry)
    return [...all]
  }

  #findMatches(fields: IndexedFields, ids: readonly string[]): HeldEntry<Subscriber>[] {
    const found: HeldEntry<Subscriber>[] = []
    for (const name of bucketsForFields(fields, ids)) this.#buckets.get(name)?.addMatches(fields, found)
    return found
  }

  #addEntry(filter: LiveFilter, text: string): HeldEntry<Subscriber> {
    const entry = { filter, text, subscribers: new Set<Subscriber>() }
    this.#entries.set(text, entry)
    if (filter.incidents !== null) this.#followers++
    const { buckets, decidesPlace } = bucketsForFilter(filter)
    for (const name of buckets) {
      const bucket = this.#buckets.get(name) ?? new Bucket()
      this.#buckets.set(name, bucket)
      bucket.addEntry(entry, decidesPlace(name))
    }
    return entry
  }

  #removeSubscriber(entry: HeldEntry<Subscriber>, subscriber: Subscriber): void {
    entry.subscribers.delete(subscriber)
    if (entry.subscribers.size > 0) return
    this.#entries.delete(entry.text)
    if (entry.filter.incidents !== null) this.#followers--
    for (const name of bucketsForFilter(entry.filter).buckets) {
      const bucket = this.#buckets.get(name)!
      bucket.removeEntry(entry)
      if (bucket.size === 0) this.#buckets.delete(name)
    }
  }
}

/** An incident's id, an LGA's code, a state's code, a cell of the grid, or everywhere. */
export type BucketName = string | number

const EVERYWHERE: readonly BucketName[] = ['everywhere']
/** These counts only decide which dimension is most selective; they need not be exact. */
const LGA_COUNT = 774
const STATE_COUNT = 37
/** In more cells than this, a filter costs more memory than it saves time. */
const MAX_CELLS = 400

interface FilterBuckets {
  readonly buckets: readonly BucketName[]
  /**
   * Whether being in this bucket alone decides that the filter applies there, without a check of
   * the place.
   */
  readonly decidesPlace: (bucket: BucketName) => boolean
}

/**
 * Chooses the buckets of a filter: those of its most selective dimension. An incident looks into
 * one bucket of each dimension, so it meets each filter at most once; only one that others were
 * merged into has several ids, and may meet a filter once for each.
 */
export function bucketsForFilter(filter: LiveFilter): FilterBuckets {
  const { incidents, lgas, states } = filter
  const cells = cellsFor(filter)
  const hasNoBox = boundingBoxOf(filter) === null
  const decided = (isDecided: boolean) => () => isDecided
  const namesNoPlace = states === null && lgas === null
  // Always these, so that no other bucket has to ask for ids.
  if (incidents !== null) return { buckets: incidents, decidesPlace: decided(namesNoPlace && hasNoBox) }
  const dimensions = [
    { names: lgas, share: (lgas?.length ?? 0) / LGA_COUNT, decidesPlace: decided(states === null && hasNoBox) },
    { names: states, share: (states?.length ?? 0) / STATE_COUNT, decidesPlace: decided(lgas === null && hasNoBox) },
    {
      names: cells,
      share: (cells?.length ?? 0) / CELLS,
      decidesPlace: (cell: BucketName) => namesNoPlace && coversCell(filter, cell as number),
    },
  ]
  const [best] = dimensions.filter(({ names }) => names !== null).sort((one, other) => one.share - other.share)
  return { buckets: best?.names ?? EVERYWHERE, decidesPlace: best?.decidesPlace ?? decided(hasNoBox) }
}

export function bucketsForFields(
  { lga, state, lat, lng }: IndexedFields,
  ids: readonly string[],
): readonly BucketName[] {
  const others = [...ids, state, cellOf(lat, lng), ...EVERYWHERE]
  return lga === null ? others : [lga, ...others]
}

function cellsFor(filter: FieldConditions): readonly number[] | null {
  const box = boundingBoxOf(filter)
  if (box === null) return null
  const alongRoute = filter.route !== null && filter.box === null && filter.circle === null && filter.region === null
  const cells = alongRoute ? cellsAlong(filter.route) : cellsIn(box)
  return cells.length > MAX_CELLS ? null : cells
}

/** Routes are split: the box around a road from corner to corner holds half the country. */
const MAX_PIECE_DEGREES = 0.2

function cellsAlong({ line, bufferKm }: Route): readonly number[] {
  const cells = new Set<number>()
  for (let at = 2; at < line.length; at += 2) {
    const [fromLng, fromLat, toLng, toLat] = line.subarray(at - 2, at + 2) as unknown as [
      number,
      number,
      number,
      number,
    ]
    const pieces = Math.ceil(Math.max(Math.abs(toLng - fromLng), Math.abs(toLat - fromLat)) / MAX_PIECE_DEGREES)
    const along = (share: number) => [fromLng + share * (toLng - fromLng), fromLat + share * (toLat - fromLat)]
    for (let piece = 0; piece < pieces; piece++) {
      const ends = Float64Array.from([...along(piece / pieces), ...along((piece + 1) / pieces)])
      for (const cell of cellsIn(expandBox(boxOf([ends]), bufferKm))) cells.add(cell)
    }
  }
  return [...cells]
}

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

/**
 * A polygon with more edges is not held against cells: a start with many such watches would take
 * longer.
 */
const MAX_EDGES = 200
/** Great circles are computed with errors far below a millimetre. */
const CERTAIN = 1 - 1e-9

type Corner = readonly [lat: number, lng: number]

/**
 * Whether every point of the cell surely lies in all areas of the filter, so that nobody has to ask
 * for a point. Not a statement about the filter's other conditions.
 */
export function coversCell({ box, circle, region, route, sites }: FieldConditions, cell: number): boolean {
  // A route reaches over whole cells only with a buffer wider than most; sites are many small
  // circles.
  if (route !== null || sites !== null) return false
  const area = cellBox(cell)
  if (area === null) return false
  const corners: Corner[] = [
    [area.south, area.west],
    [area.south, area.east],
    [area.north, area.west],
    [area.north, area.east],
  ]
  return (
    (box === null || corners.every(([lat, lng]) => isInBox(box, lat, lng))) &&
    // The point of the cell that is farthest from any other is a corner.
    (circle === null ||
      corners.every(([lat, lng]) => distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm * CERTAIN)) &&
    (region === null || containsBox(region, area))
  )
}

/** False also if an edge only comes near the box: then points are asked for. */
function containsBox({ polygons, box }: Region, area: Box): boolean {
  if (!isInBox(box, area.south, area.west) || !isInBox(box, area.north, area.east)) return false
  return polygons.some(
    ([outer, ...holes]) =>
      isInRing(outer!, area.south, area.west) &&
      !comesNear(outer!, area) &&
      !holes.some((hole) => isInRing(hole, area.south, area.west) || comesNear(hole, area)),
  )
}

function comesNear(ring: Ring, area: Box): boolean {
  if (ring.length > 2 * MAX_EDGES) return true
  for (let at = 2; at < ring.length; at += 2) {
    const [fromLng, fromLat, toLng, toLat] = [ring[at - 2]!, ring[at - 1]!, ring[at]!, ring[at + 1]!]
    const edge: Box = {
      west: Math.min(fromLng, toLng),
      south: Math.min(fromLat, toLat),
      east: Math.max(fromLng, toLng),
      north: Math.max(fromLat, toLat),
    }
    if (boxesIntersect(edge, area)) return true
  }
  return false
}
