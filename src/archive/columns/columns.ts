import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { enlarge } from '../../lib/enlarge.ts'
import { cellOf } from '../../query/cell-grid.ts'
import type { IndexedFields } from '../../query/indexed-fields.ts'
import { CasualtyColumn } from './casualty-column.ts'
import { Dictionary } from './dictionary.ts'
import { mercatorX, mercatorY } from './web-mercator.ts'

const FIRST_CAPACITY = 1024
/** Stands in the dictionary of LGAs for "not known to its LGA". */
export const NO_LGA = ''

/**
 * What filters ask of every incident, as typed arrays. A row's number (its slot) never changes, whatever arrives
 * before or after it; published order is kept apart, in the segments.
 */
export class Columns {
  readonly states = new Dictionary()
  readonly lgas = new Dictionary([NO_LGA])
  readonly types = new Dictionary(TYPE_NAMES)
  readonly severities = new Dictionary(SEVERITIES)

  publishedAt = new Float64Array(FIRST_CAPACITY)
  occurredAt = new Float64Array(FIRST_CAPACITY)
  confidence = new Float64Array(FIRST_CAPACITY)
  lat = new Float64Array(FIRST_CAPACITY)
  lng = new Float64Array(FIRST_CAPACITY)
  /**
   * Confidence once more, in whole hundredths: most candidates fail here already, on a column that stays in the
   * processor's cache. The exact one is eight times as large, and waiting for memory is what a query does most.
   */
  confidenceHundredths = new Uint8Array(FIRST_CAPACITY)
  /** The place on the map's square world: what tiles are cut from, and half the size of the exact place to look at first. */
  x = new Int32Array(FIRST_CAPACITY)
  y = new Int32Array(FIRST_CAPACITY)
  cell = new Uint16Array(FIRST_CAPACITY)
  lga = new Uint16Array(FIRST_CAPACITY)
  state = new Uint8Array(FIRST_CAPACITY)
  type = new Uint8Array(FIRST_CAPACITY)
  severity = new Uint8Array(FIRST_CAPACITY)
  readonly tolls = new CasualtyColumn(FIRST_CAPACITY)
  /** The opaque part of each id: what orders incidents of the same moment. */
  suffix = new Uint8Array(FIRST_CAPACITY * SUFFIX_LENGTH)

  set(slot: number, suffix: string, facts: IndexedFields): void {
    if (slot >= this.publishedAt.length) this.#grow()
    this.publishedAt[slot] = facts.publishedAt
    this.occurredAt[slot] = facts.occurredAt
    this.confidence[slot] = facts.confidence
    this.lat[slot] = facts.lat
    this.lng[slot] = facts.lng
    this.confidenceHundredths[slot] = hundredths(facts.confidence)
    this.x[slot] = mercatorX(facts.lng)
    this.y[slot] = mercatorY(facts.lat)
    this.cell[slot] = cellOf(facts.lat, facts.lng)
    this.lga[slot] = this.lgas.add(facts.lga ?? NO_LGA)
    this.state[slot] = this.states.add(facts.state)
    this.type[slot] = this.types.add(facts.type)
    this.severity[slot] = this.severities.add(facts.severity)
    this.tolls.set(slot, facts)
    const start = slot * SUFFIX_LENGTH
    for (let index = 0; index < SUFFIX_LENGTH; index++) this.suffix[start + index] = suffix.charCodeAt(index)
  }

  /** What was set. */
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
      ...this.tolls.get(slot),
    }
  }

  suffixOf(slot: number): string {
    let text = ''
    for (let index = slot * SUFFIX_LENGTH; index < (slot + 1) * SUFFIX_LENGTH; index++) {
      text += String.fromCharCode(this.suffix[index]!)
    }
    return text
  }

  /** Published order: by time, then by id. */
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

  #grow(): void {
    this.publishedAt = enlarge(this.publishedAt)
    this.occurredAt = enlarge(this.occurredAt)
    this.confidence = enlarge(this.confidence)
    this.lat = enlarge(this.lat)
    this.lng = enlarge(this.lng)
    this.confidenceHundredths = enlarge(this.confidenceHundredths)
    this.x = enlarge(this.x)
    this.y = enlarge(this.y)
    this.cell = enlarge(this.cell)
    this.lga = enlarge(this.lga)
    this.state = enlarge(this.state)
    this.type = enlarge(this.type)
    this.severity = enlarge(this.severity)
    this.tolls.grow()
    this.suffix = enlarge(this.suffix)
  }
}

/** Rounded down, so that what is at least x is at least `hundredths(x)` too. */
export function hundredths(value: number): number {
  return Math.floor(value * 100)
}

/** A place in published order, whether or not an incident stands there: what a cursor holds. */
export interface Position {
  readonly publishedAt: number
  readonly suffix: string
}
