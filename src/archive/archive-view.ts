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
import type { Columns } from './columns/columns.ts'
import type { DocumentStore } from './documents/document-store.ts'
import { SlotReader } from './documents/slot-reader.ts'
import { findPage, type MatchQuery, matchInBatches, type PageQuery, type SlotPage } from './query/matches.ts'
import type { SegmentList } from './segments/segment.ts'

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
