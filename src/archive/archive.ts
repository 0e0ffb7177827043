import { PREFIXES } from '../domain/identifier.ts'
import { type Incident, isPublic, PRECISIONS } from '../domain/incident.ts'
import { type Filter, type IndexedFields, indexedFieldsOf } from '../filter/filter.ts'
import { type Month, monthStart } from '../lib/calendar.ts'
import { phraseWords } from '../lib/search-terms.ts'
import { runToEnd, type Steps } from '../lib/steps.ts'
import type { LogEvent, LogHead, MergedIncident, Snapshot } from '../store/store.ts'
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
import { Columns, type Position } from './columns/columns.ts'
import { DocumentStore } from './documents/document-store.ts'
import type { Reader } from './documents/file-documents.ts'
import type { PinnedDocuments } from './documents/pinned-documents.ts'
import type { SlabFile } from './documents/slab-file.ts'
import type { DocumentContents, Slab } from './documents/slabs.ts'
import { countByMonth, IncidentSlots, MonthVersions, Withdrawn } from './incident-slots.ts'
import { scanInThreads } from './loading/scan.ts'
import { findPage, type MatchQuery, matchInBatches, type PageQuery, type SlotPage } from './query/matches.ts'
import type { SegmentList } from './segments/published-order.ts'
import { phraseTest } from './words/summary-words.ts'
import { WordIndex } from './words/word-index.ts'

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
  readonly #words: WordIndex

  constructor(columns: Columns, documents: DocumentStore, words: WordIndex, list: SegmentList, head: LogHead) {
    super(columns, documents)
    this.#words = words
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
    return findPage(this.#withWords(query), this.columns, this.#list)
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
    yield* matchInBatches(this.#withWords(query), this.columns, this.#list, 'oldest first', addBatch, null)
    return count
  }

  aggregate(query: AggregationQuery): Steps<Aggregation> {
    return aggregate(this.#withWords(query), this.columns, this.#list)
  }

  /** Counts by the time of the event, not of its publication. */
  occurrences(query: OccurrenceQuery): Steps<Occurrences> {
    return countOccurrences(this.#withWords(query), this.columns, this.#list)
  }

  /**
   * Counts matches by days from the event to its publication; those above `longest` are left out.
   */
  delays(query: MatchQuery & { readonly longest: number }): Steps<Uint32Array> {
    return countDelays(this.#withWords(query), this.columns, this.#list)
  }

  tileContent(query: TileQuery): Steps<TileContent> {
    return tileContent(query, this.columns, this.#list)
  }

  /** Adds what the index and the documents say about the words of the filter. */
  #withWords<Query extends MatchQuery>(query: Query): Query {
    const { words } = query.filter
    if (words === null) return query
    const phrases = words.filter((term) => (phraseWords(term)?.length ?? 0) > 1)
    const hasPhrases = phrases.length === 0 ? null : phraseTest(phrases)
    return {
      ...query,
      words: this.#words.find(words),
      hasPhrases: hasPhrases && ((slot: number) => this.documents.test(slot, hasPhrases)),
    }
  }
}

/** The read model: public incidents in memory. Follows the event log; can be rebuilt from it. */
export class Archive extends SlotReader {
  readonly #incidents: IncidentSlots
  readonly #monthVersions = new MonthVersions()
  readonly #withdrawn = new Withdrawn()
  readonly #changes = new RecentChanges()
  #head: LogHead = { seq: 0, at: 0, link: '' }
  #view: ArchiveView | null = null

  readonly #words: WordIndex

  constructor(columns = new Columns(), documents = new DocumentStore(), words = new WordIndex()) {
    super(columns, documents)
    this.#words = words
    this.#incidents = new IncidentSlots(columns, documents, words)
  }

  /** `documents` is empty, and gets the incidents of the snapshot. */
  static async load(snapshot: Snapshot, documents = new DocumentStore(), threadsFrom?: number): Promise<Archive> {
    const archive = new Archive(new Columns(), documents)
    for await (const chunk of scanInThreads(snapshot.chunks, threadsFrom)) {
      archive.#incidents.loadChunk(chunk)
      await documents.spill()
    }
    await documents.settle()
    archive.#incidents.indexLoaded()
    archive.#withdrawn.addAll(snapshot.retracted, snapshot.merged)
    archive.#head = snapshot.head
    return archive
  }

  /** Takes over columns and documents whose slots are in published order, without gaps. */
  static of({ columns, documents, words, incidents, retracted, merged, head }: ArchiveContents): Archive {
    const archive = new Archive(columns, documents, words)
    archive.#incidents.takeOver(incidents)
    archive.#withdrawn.addAll(retracted, merged)
    archive.#head = head
    return archive
  }

  /**
   * Returns what `of` takes, as it is now, to be copied in the order of `runs`. The columns of
   * these slots and the bytes of their documents stay as they are until the pin is disposed of.
   */
  pinContents(): PinnedContents {
    const pin = this.pin()
    return {
      runs: this.#runs,
      columns: this.columns,
      words: this.#words,
      ...this.contents(),
      incidents: this.#incidents.size,
      ...this.#withdrawn.contents,
      head: this.#head,
      [Symbol.dispose]: () => pin[Symbol.dispose](),
    }
  }

  /** Returns the places of the documents, in published order, at this moment. */
  contents(): DocumentContents {
    return this.documents.contentsOf(this.#runs, this.#incidents.size)
  }

  get #runs(): Uint32Array[] {
    return this.#incidents.list.segments.map(({ slots, size }) => slots.subarray(0, size))
  }

  /** Prepares `pinContents`: what has to be done for every document, in steps. */
  *prepareContents(): Steps<void> {
    yield* this.documents.compactFiles()
    yield* this.documents.addChecksums()
    yield* this.compactWords()
  }

  /** Forgets words that are in no summary any more. */
  compactWords(): Steps<void> {
    return this.#words.compact()
  }

  /** The bytes of memory that the index of words takes. */
  get wordMemory(): number {
    return this.#words.memory
  }

  /** The files that documents are read from. */
  get files(): readonly SlabFile[] {
    return this.documents.files
  }

  /** Reads the documents of these slabs from files instead of keeping them in memory. */
  moveToFiles(files: ReadonlyMap<Slab, SlabFile>): void {
    this.documents.moveToFiles(files)
  }

  /** `listener` is called when a file turns out to be damaged; see `damagedIds`. */
  onDamage(listener: (error: unknown) => void): void {
    this.documents.onDamage(listener)
  }

  /** The incidents whose documents are in damaged files: `restore` takes them from elsewhere. */
  damagedIds(): string[] {
    if (!this.documents.hasDamage) return []
    return this.#incidents.list.segments.flatMap(({ slots, size }) =>
      Array.from(slots.subarray(0, size))
        .filter((slot) => this.documents.isDamaged(slot))
        .map((slot) => this.idOf(slot)),
    )
  }

  /** Puts a document in place of a damaged one, if it is the same version. */
  restore(id: string, document: string): void {
    const slot = this.slotOf(id)
    if (slot !== null && this.documents.isDamaged(slot)) this.documents.restore(slot, document)
  }

  /**
   * Builds what is otherwise built by the first question that needs it, for the newest incidents
   * first.
   */
  *buildIndexes(): Steps<void> {
    // A copy: events may change the list between two steps.
    for (const segment of this.#incidents.list.segments.toReversed()) {
      segment.buildIndexes(this.columns)
      yield
    }
  }

  /** Forgets which months have changed: to be called before anybody has asked. */
  forgetMonthVersions(): void {
    this.#monthVersions.forgetAll()
  }

  get size(): number {
    return this.#incidents.size
  }

  /** The last event applied. */
  get head(): LogHead {
    return this.#head
  }

  get newestPublishedAt(): number | null {
    return this.view.newestPublishedAt
  }

  /**
   * The number of incidents published at a time or later; compares positions, reads no incident.
   */
  countSince(time: number): number {
    return this.#incidents.size - this.#incidents.list.countBefore(time)
  }

  /** The archive as it is now; see `pin` for reading it after the next event. */
  get view(): ArchiveView {
    this.#view ??= new ArchiveView(this.columns, this.documents, this.#words, this.#incidents.list, this.#head)
    return this.#view
  }

  /**
   * Keeps the present view readable until the pin is disposed of, whatever events are applied
   * meanwhile. A pin keeps replaced incidents in memory: hold it for one question only.
   */
  pin(): Disposable {
    return this.#incidents.pin()
  }

  /** Finds a page without pausing; for questions that are known to be small. */
  findPage(query: PageQuery): SlotPage {
    return runToEnd(this.view.findPage(query))
  }

  /** Returns what the events after `seq` changed, in order; null if some are no longer kept. */
  changesSince(seq: number): readonly IndexedChange[] | null {
    return this.#changes.between(seq, this.#head.seq)
  }

  slotOf(id: string): number | null {
    return this.#incidents.slotOf(id)
  }

  isRetracted(id: string): boolean {
    return this.#withdrawn.isRetracted(id)
  }

  /** The incident that this one was merged into after it was public; null if it was not. */
  mergedInto(id: string): string | null {
    return this.#withdrawn.mergedInto(id)
  }

  /** Lists the months that have incidents, newest first, with their counts. */
  months(): { month: Month; incidents: number }[] {
    return countByMonth(this.#incidents.list, this.columns, this.#incidents.size)
  }

  /** Changes whenever an incident of the month is added, removed or changed. */
  monthVersion(month: Month): number {
    return this.#monthVersions.of(month)
  }

  /** Pins the month's incidents in published order, as they are at this moment. */
  pinMonth(month: Month): PinnedDocuments {
    return this.documents.pin(this.#incidents.list.slotsBetween(monthStart(month), monthStart(month + 1)))
  }

  /** Applies events in order and returns each with what it changed. Skips events applied before. */
  apply(events: readonly LogEvent[]): AppliedEvent[] {
    const applied: AppliedEvent[] = []
    try {
      for (const event of events) {
        if (event.seq <= this.#head.seq) continue
        if (event.seq !== this.#head.seq + 1)
          throw new Error(`event ${event.seq} follows event ${this.#head.seq}: the events between them are missing`)
        const { before, after } = this.#applyOne(event)
        applied.push({ ...event, before, after })
        this.#head = { seq: event.seq, at: event.at, link: event.link ?? '' }
      }
    } finally {
      // Also after an unreadable event: the events before it must be applied completely.
      this.#incidents.orderAdded()
      this.#view = null
    }
    return applied
  }

  #applyOne(event: LogEvent): IndexedChange {
    const incident = JSON.parse(event.document) as Incident
    const slot = this.slotOf(incident.id)
    const before = slot === null ? null : this.columns.indexedFieldsOf(slot)
    if (slot !== null) this.#monthVersions.change(this.columns.publishedAt[slot]!, event.seq)
    if (isPublic(incident)) this.#monthVersions.change(Date.parse(incident.published_at!), event.seq)
    if (!isPublic(incident)) {
      if (slot !== null) this.#incidents.removeIncident(slot, incident.id)
      this.#withdrawn.add(incident)
    } else if (slot === null) {
      this.#withdrawn.remove(incident.id)
      this.#incidents.addIncident(incident, event.document)
    } else {
      this.#incidents.replaceIncident(slot, incident, event.document)
    }
    const change = { seq: event.seq, before, after: isPublic(incident) ? indexedFieldsOf(incident) : null }
    this.#changes.addChange(change)
    return change
  }
}

interface Contents {
  readonly columns: Columns
  readonly words: WordIndex
  readonly incidents: number
  readonly retracted: readonly string[]
  readonly merged: readonly MergedIncident[]
  readonly head: LogHead
}

interface ArchiveContents extends Contents {
  readonly documents: DocumentStore
}

/** The same as it is at one moment; documents and slots are in published order. */
export interface PinnedContents extends Contents, DocumentContents, Disposable {
  readonly runs: readonly Uint32Array[]
}

/** The fields of an incident before and after an event; null if it was not public. */
export interface IndexedChange {
  readonly seq: number
  readonly before: IndexedFields | null
  readonly after: IndexedFields | null
}

export type AppliedEvent = LogEvent & IndexedChange

const MAX_CHANGES = 1024

/** The latest changes, so that caches can tell which of their entries are still valid. */
class RecentChanges {
  #changes: IndexedChange[] = []

  addChange(change: IndexedChange): void {
    this.#changes.push(change)
    if (this.#changes.length >= 2 * MAX_CHANGES) this.#changes = this.#changes.slice(-MAX_CHANGES)
  }

  /** Returns the changes after `seq` up to `head`, in order; null if some are no longer kept. */
  between(seq: number, head: number): readonly IndexedChange[] | null {
    if (seq === head) return []
    const wanted = head - seq
    if (wanted < 0 || wanted > this.#changes.length) return null
    return this.#changes.slice(-wanted)
  }
}
