import { PREFIXES } from '../../domain/identifier.ts'
import { type Incident, PRECISIONS } from '../../domain/incident.ts'
import type { Filter, IndexedFields } from '../../filter/filter.ts'
import type { Columns, Position } from '../columns/columns.ts'
import type { DocumentStore } from './document-store.ts'
import type { Reader } from './file-documents.ts'
import { wordTest } from './words-in-document.ts'

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
