import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { type Casualties, NO_DATASET, PRECISIONS } from '../../domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { IndexedFields } from '../../filter/filter.ts'
import { cellOf } from '../../filter/matches.ts'
import type { Tile } from '../../filter/tile.ts'
import { enlarge } from '../../lib/bytes.ts'
import type { Box } from '../../lib/geometry.ts'
import { CasualtyColumn } from './casualty-column.ts'

const FIRST_CAPACITY = 1024
/** The entry in the dictionary of LGAs for an incident without a known LGA. */
export const NO_LGA = ''
export const NO_LGA_NUMBER = 0
export const NO_DATASET_NUMBER = 0

/** Each text column, with its dictionary. */
const DICTIONARIES = {
  state: 'states',
  lga: 'lgas',
  type: 'types',
  severity: 'severities',
  dataset: 'datasets',
} as const
type TextColumn = keyof typeof DICTIONARIES

/** Columns of some slots from 0 on, as plain data. */
export interface ColumnContents {
  readonly slots: number
  /** May be longer than these slots need. */
  readonly arrays: Readonly<Record<string, ColumnArray>>
  readonly texts: Readonly<Record<TextColumn, readonly string[]>>
  readonly hasFinerConfidences: boolean
  readonly largeCasualties: readonly (readonly [slot: number, casualties: Casualties])[]
}

export type ColumnArray = Float64Array | Int32Array | Uint16Array | Uint8Array

/** The fields that filters read, by slot. A slot never changes; segments keep published order. */
export class Columns {
  readonly states = new Dictionary()
  readonly lgas = new Dictionary([NO_LGA])
  readonly types = new Dictionary(TYPE_NAMES)
  readonly severities = new Dictionary(SEVERITIES)
  readonly datasets = new Dictionary([NO_DATASET])

  publishedAt = new Float64Array(FIRST_CAPACITY)
  occurredAt = new Float64Array(FIRST_CAPACITY)
  confidence = new Float64Array(FIRST_CAPACITY)
  lat = new Float64Array(FIRST_CAPACITY)
  lng = new Float64Array(FIRST_CAPACITY)
  /**
   * Confidence in whole hundredths. Most candidates fail on this column, which stays in the
   * processor's cache; the exact column is eight times as large.
   */
  confidenceHundredths = new Uint8Array(FIRST_CAPACITY)
  /**
   * Whether a confidence was finer than hundredths; our own never are. Otherwise these are exact.
   */
  hasFinerConfidences = false
  /** Web Mercator coordinates, for tiles; at half the size of the exact ones, checked first. */
  x = new Int32Array(FIRST_CAPACITY)
  y = new Int32Array(FIRST_CAPACITY)
  cell = new Uint16Array(FIRST_CAPACITY)
  lga = new Uint16Array(FIRST_CAPACITY)
  state = new Uint8Array(FIRST_CAPACITY)
  type = new Uint8Array(FIRST_CAPACITY)
  severity = new Uint8Array(FIRST_CAPACITY)
  /** Indexes in `PRECISIONS`. */
  precision = new Uint8Array(FIRST_CAPACITY)
  dataset = new Uint16Array(FIRST_CAPACITY)
  readonly casualties = new CasualtyColumn(FIRST_CAPACITY)
  /** The opaque part of each id; it orders incidents published in the same millisecond. */
  suffix = new Uint8Array(FIRST_CAPACITY * SUFFIX_LENGTH)

  set(slot: number, suffix: string, fields: IndexedFields): void {
    if (slot >= this.publishedAt.length) this.#grow()
    this.setNumbers(slot, fields.publishedAt, fields.occurredAt, fields.confidence, fields.lat, fields.lng)
    this.lga[slot] = this.lgas.add(fields.lga ?? NO_LGA)
    this.state[slot] = this.states.add(fields.state)
    this.type[slot] = this.types.add(fields.type)
    this.severity[slot] = this.severities.add(fields.severity)
    this.precision[slot] = PRECISIONS.indexOf(fields.precision)
    this.dataset[slot] = this.datasets.add(fields.dataset)
    this.casualties.set(slot, fields.killed, fields.injured, fields.abducted)
    const start = slot * SUFFIX_LENGTH
    for (let index = 0; index < SUFFIX_LENGTH; index++) this.suffix[start + index] = suffix.charCodeAt(index)
  }

  /** Sets these columns, and those that follow from them; there must be room for the slot. */
  setNumbers(
    slot: number,
    publishedAt: number,
    occurredAt: number,
    confidence: number,
    lat: number,
    lng: number,
  ): void {
    this.publishedAt[slot] = publishedAt
    this.occurredAt[slot] = occurredAt
    this.confidence[slot] = confidence
    this.lat[slot] = lat
    this.lng[slot] = lng
    const inHundredths = hundredths(confidence)
    this.confidenceHundredths[slot] = inHundredths
    if (inHundredths / 100 !== confidence) this.hasFinerConfidences = true
    this.x[slot] = mercatorX(lng)
    this.y[slot] = mercatorY(lat)
    this.cell[slot] = cellOf(lat, lng)
  }

  indexedFieldsOf(slot: number): IndexedFields {
    return {
      publishedAt: this.publishedAt[slot]!,
      occurredAt: this.occurredAt[slot]!,
      state: this.states.textOf(this.state[slot]!),
      lga: this.lgas.textOf(this.lga[slot]!) || null,
      type: TYPE_NAMES[this.type[slot]!]!,
      severity: SEVERITIES[this.severity[slot]!]!,
      confidence: this.confidence[slot]!,
      lat: this.lat[slot]!,
      lng: this.lng[slot]!,
      precision: PRECISIONS[this.precision[slot]!]!,
      dataset: this.datasets.textOf(this.dataset[slot]!),
      ...this.casualties.get(slot),
    }
  }

  suffixOf(slot: number): string {
    let text = ''
    for (let index = slot * SUFFIX_LENGTH; index < (slot + 1) * SUFFIX_LENGTH; index++) {
      text += String.fromCharCode(this.suffix[index]!)
    }
    return text
  }

  /** Compares in published order: by time, then by id. */
  compare(slot: number, other: number): number {
    const difference = this.publishedAt[slot]! - this.publishedAt[other]!
    if (difference !== 0 || slot === other) return difference
    return this.#compareSuffix(slot, (index) => this.suffix[other * SUFFIX_LENGTH + index]!)
  }

  comparePosition(slot: number, position: Position): number {
    const difference = this.publishedAt[slot]! - position.publishedAt
    if (difference !== 0) return difference
    return this.#compareSuffix(slot, (index) => position.suffix.charCodeAt(index))
  }

  #compareSuffix(slot: number, other: (index: number) => number): number {
    for (let index = 0; index < SUFFIX_LENGTH; index++) {
      const difference = this.suffix[slot * SUFFIX_LENGTH + index]! - other(index)
      if (difference !== 0) return difference
    }
    return 0
  }

  /** The arrays by name; each has the same number of elements for every slot. */
  arrays(): Record<string, ColumnArray> {
    const { publishedAt, occurredAt, confidence, lat, lng, confidenceHundredths, x, y } = this
    const { cell, lga, state, type, severity, precision, dataset, suffix } = this
    const numbers = { publishedAt, occurredAt, confidence, lat, lng, confidenceHundredths, x, y }
    return {
      ...numbers,
      cell,
      lga,
      state,
      type,
      severity,
      precision,
      dataset,
      casualties: this.casualties.words,
      suffix,
    }
  }

  /** The first slots as plain data, which shares the arrays. */
  contents(slots: number): ColumnContents {
    const largeCasualties: [number, Casualties][] = []
    for (let slot = 0; slot < slots; slot++) {
      const large = this.casualties.largeOf(slot)
      if (large !== null) largeCasualties.push([slot, large])
    }
    const { states, lgas, types, severities, datasets, hasFinerConfidences } = this
    const texts = {
      state: states.texts,
      lga: lgas.texts,
      type: types.texts,
      severity: severities.texts,
      dataset: datasets.texts,
    }
    return { slots, arrays: this.arrays(), texts, hasFinerConfidences, largeCasualties }
  }

  /** Puts the contents of other columns into the slots from `first` on. */
  append(first: number, { slots, arrays, texts, hasFinerConfidences, largeCasualties }: ColumnContents): void {
    while (first + slots > this.publishedAt.length) this.#grow()
    const capacity = this.publishedAt.length
    for (const [name, target] of Object.entries(this.arrays())) {
      const stride = target.length / capacity
      const source = arrays[name]!.subarray(0, slots * stride)
      if (name in DICTIONARIES) {
        const dictionary = this[DICTIONARIES[name as TextColumn]]
        const numbers = texts[name as TextColumn].map((text) => dictionary.add(text))
        for (let slot = 0; slot < slots; slot++) target[first + slot] = numbers[source[slot]!]!
      } else target.set(source, first * stride)
    }
    if (hasFinerConfidences) this.hasFinerConfidences = true
    for (const [slot, casualties] of largeCasualties) this.casualties.setLarge(first + slot, casualties)
  }

  /** Makes room for this many slots. */
  reserve(slots: number): void {
    if (slots > this.publishedAt.length) this.#grow(slots)
  }

  #grow(slots = this.publishedAt.length * 2): void {
    this.publishedAt = enlarge(this.publishedAt, slots)
    this.occurredAt = enlarge(this.occurredAt, slots)
    this.confidence = enlarge(this.confidence, slots)
    this.lat = enlarge(this.lat, slots)
    this.lng = enlarge(this.lng, slots)
    this.confidenceHundredths = enlarge(this.confidenceHundredths, slots)
    this.x = enlarge(this.x, slots)
    this.y = enlarge(this.y, slots)
    this.cell = enlarge(this.cell, slots)
    this.lga = enlarge(this.lga, slots)
    this.state = enlarge(this.state, slots)
    this.type = enlarge(this.type, slots)
    this.severity = enlarge(this.severity, slots)
    this.precision = enlarge(this.precision, slots)
    this.dataset = enlarge(this.dataset, slots)
    this.casualties.grow(slots)
    this.suffix = enlarge(this.suffix, slots * SUFFIX_LENGTH)
  }
}

/** Rounds on both sides of a comparison: if a ≥ b, then hundredths(a) ≥ hundredths(b). */
export function hundredths(value: number): number {
  return Math.round(value * 100)
}

/** A position in published order, whether or not an incident is there; a cursor holds one. */
export interface Position {
  readonly publishedAt: number
  readonly suffix: string
}

/** Numbers texts in order of arrival, so that a column needs one or two bytes per text. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.add(text)
  }

  get size(): number {
    return this.#numbers.size
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  add(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    this.#texts.push(text)
    return number
  }

  textOf(number: number): string {
    return this.#texts[number]!
  }

  numberOf(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}

/**
 * Web Mercator: a square of 2³⁰ by 2³⁰ steps of 4 cm, x to the east and y to the south. The tile at
 * zoom z is a shift by 30 − z, so a point belongs to exactly one tile of each zoom.
 */
export const MERCATOR_BITS = 30
const SIZE = 2 ** MERCATOR_BITS
const LAST = SIZE - 1
const DEGREE = Math.PI / 180

/** Converts a longitude; monotonic, so that boxes can be compared in these coordinates. */
export function mercatorX(lng: number): number {
  return within(Math.floor((lng / 360 + 0.5) * SIZE))
}

/** Converts a latitude; monotonic, falling to the north. Beyond ±85.05°, returns the map's edge. */
export function mercatorY(lat: number): number {
  const sine = Math.sin(lat * DEGREE)
  return within(Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIZE))
}

function within(step: number): number {
  return Math.min(LAST, Math.max(0, step))
}

/** Returns the longitude of the western edge of a step. */
export function lngAt(x: number): number {
  return (x / SIZE - 0.5) * 360
}

/** Returns the latitude of a step's northern edge; the poles at both ends: `mercatorY` clamps. */
export function latAt(y: number): number {
  if (y <= 0) return 90
  if (y >= SIZE) return -90
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / SIZE))) / DEGREE
}

/** Returns by how many bits a coordinate is shifted to get its tile's number. */
export function tileShift({ z }: Tile): number {
  return MERCATOR_BITS - z
}

/**
 * Returns a box in degrees around the tile, one step wider on each side: an incident a hair west of
 * an edge may be rounded into the tile east of it.
 */
export function boxAroundTile(tile: Tile): Box {
  const side = 2 ** tileShift(tile)
  return {
    west: lngAt(tile.x * side - 1),
    south: latAt((tile.y + 1) * side + 1),
    east: lngAt((tile.x + 1) * side + 1),
    north: latAt(tile.y * side - 1),
  }
}

/** Converts a box, one step wider on each side: rounding must exclude no point of it. */
export function mercatorBoxAround({ west, south, east, north }: Box): Box {
  return {
    west: mercatorX(west) - 1,
    south: mercatorY(south) + 1,
    east: mercatorX(east) + 1,
    north: mercatorY(north) - 1,
  }
}
