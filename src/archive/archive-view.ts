import { PREFIXES } from '../domain/identifier.ts'
import { type Incident, PRECISIONS } from '../domain/incident.ts'
import type { Filter, IndexedFields } from '../filter/filter.ts'
import type { Steps } from '../lib/steps.ts'
import type { LogHead } from '../store/store.ts'
import {
  type Aggregation,
  type AggregationQuery,
  aggregate,
  countDelays,
  countOccurrences,
  type OccurrenceQuery,
  type Occurrences,
} from './aggregate/aggregate.ts'
import { type TileContent, type TileQuery, tileContent } from './aggregate/tiles.ts'
import type { Columns, Position } from './columns/columns.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Reader } from './documents/file-documents.ts'
import { wordTest } from './documents/words-in-document.ts'
import { findPage, type MatchQuery, matchInBatches, type PageQuery, type SlotPage } from './query/matches.ts'
import type { SegmentList } from './segments/published-order.ts'

/** A document's location nearly always ends within this many bytes; only these are decoded. */
const LOCATION_WITHIN_BYTES = 600

const decoder = new TextDecoder()

/** Reads the incident in a slot. */
export class SlotReader {
  protected readonly columns: Columns
  protected readonly documents: DocumentStore

  constructor(columns: Columns, documents: DocumentStore) {
    this.columns = columns
    this.documents = documents
  }

  indexedFieldsOf(slot: number): IndexedFields {
    return this.columns.indexedFieldsOf(slot)
  }

  /** Read from the document: no column has it, because only marks of single incidents need it. */
  radiusKmOf(slot: number): number | null {
    const bytes = this.documents.get(slot)
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return readRadiusKm(
      buffer.toString('latin1', 0, LOCATION_WITHIN_BYTES),
      () => JSON.parse(buffer.toString()) as Incident,
    )
  }

  idOf(slot: number): string {
    return PREFIXES.incident + this.columns.suffixOf(slot)
  }

  /** Returns the incident's JSON. Use it at once: a later event may move the bytes. */
  documentOf(slot: number): Uint8Array {
    return this.documents.get(slot)
  }

  /** Passes on the JSON of each incident in turn, in place: use it at once. */
  readDocuments(slots: readonly number[], take: Reader<void>): void {
    this.documents.readEach(slots, take)
  }

  incidentOf(slot: number): Incident {
    return JSON.parse(decoder.decode(this.documentOf(slot))) as Incident
  }

  documentLengthOf(slot: number): number {
    return this.documents.lengthOf(slot)
  }

  /** Returns a number that stands for the content of the document, the same on every node. */
  documentDigestOf(slot: number): number {
    return this.documents.digestOf(slot)
  }

  /** The same for a document that has been read: the bytes from `start` up to `end`. */
  digestOfRead(slot: number, bytes: Uint8Array, start: number, end: number): number {
    return this.documents.digestOfRead(slot, bytes, start, end)
  }

  /** Returns a test for the words of a filter; null if it has none. */
  wordTest({ words }: Pick<Filter, 'words'>): ((slot: number) => boolean) | null {
    if (words === null) return null
    const hasWords = wordTest(words)
    return (slot) => this.documents.test(slot, hasWords)
  }

  positionOf(slot: number): Position {
    return { publishedAt: this.columns.publishedAt[slot]!, suffix: this.columns.suffixOf(slot) }
  }
}

/** As `JSON.stringify` writes it; a string cannot contain these quotes unescaped. */
const FIELDS = new RegExp(`"location":\\{.*?"precision":"(?:${PRECISIONS.join('|')})","radius_km":(null|[\\d.]+),`, 's')

/**
 * Reads the location's radius from the beginning of a document, or parses it if it is written
 * differently.
 */
function readRadiusKm(beginning: string, parse: () => Incident): number | null {
  const found = FIELDS.exec(beginning)
  if (found !== null) return found[1] === 'null' ? null : Number(found[1])
  return parse().location.radius_km
}
/** Parsing a document takes some ten microseconds. */
const INCIDENTS_PER_STEP = 25

/**
 * The archive as it is at one moment. Valid until the next event is applied, or, if the archive is
 * pinned meanwhile, until the pin is disposed of.
 */
export class ArchiveView extends SlotReader {
  /** The last event applied. */
  readonly head: LogHead
  readonly newestPublishedAt: number | null
  readonly oldestPublishedAt: number | null
  readonly #list: SegmentList

  constructor(columns: Columns, documents: DocumentStore, list: SegmentList, head: LogHead) {
    super(columns, documents)
    this.#list = list
    this.head = head
    const { first, last } = list
    this.newestPublishedAt = last === null ? null : columns.publishedAt[last]!
    this.oldestPublishedAt = first === null ? null : columns.publishedAt[first]!
  }

  /** The names of all data sets that incidents have had, `NO_DATASET` among them. */
  get datasets(): string[] {
    const { datasets } = this.columns
    return Array.from({ length: datasets.size }, (_, number) => datasets.textOf(number))
  }

  findPage(query: PageQuery): Steps<SlotPage> {
    return findPage({ ...query, hasWords: this.wordTest(query.filter) }, this.columns, this.#list)
  }

  *newestIncidents(filter: Filter, limit: number, now: number): Steps<Incident[]> {
    const { slots } = yield* this.findPage({ filter, order: 'newest', limit, after: null, now })
    const incidents: Incident[] = []
    for (const slot of slots) {
      incidents.push(this.incidentOf(slot))
      if (incidents.length % INCIDENTS_PER_STEP === 0) yield
    }
    return incidents
  }

  *count(query: MatchQuery): Steps<number> {
    let count = 0
    const addBatch = (slots: Uint32Array) => {
      count += slots.length
    }
    const asked = { ...query, hasWords: this.wordTest(query.filter) }
    yield* matchInBatches(asked, this.columns, this.#list, 'oldest first', addBatch, null)
    return count
  }

  aggregate(query: AggregationQuery): Steps<Aggregation> {
    return aggregate({ ...query, hasWords: this.wordTest(query.filter) }, this.columns, this.#list)
  }

  /** Counts by the time of the event, not of its publication. */
  occurrences(query: OccurrenceQuery): Steps<Occurrences> {
    return countOccurrences({ ...query, hasWords: this.wordTest(query.filter) }, this.columns, this.#list)
  }

  /**
   * Counts matches by days from the event to its publication; those above `longest` are left out.
   */
  delays(query: MatchQuery & { readonly longest: number }): Steps<Uint32Array> {
    return countDelays({ ...query, hasWords: this.wordTest(query.filter) }, this.columns, this.#list)
  }

  tileContent(query: TileQuery): Steps<TileContent> {
    return tileContent(query, this.columns, this.#list)
  }
}
