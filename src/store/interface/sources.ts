import type { SourceClass } from '../../domain/confidence.ts'
import type {
  ItemState,
  NewsItem,
  NewsSource,
  PollState,
  ProposedSource,
  UnplacedStory,
  UnplacedText,
} from '../../domain/sources.ts'
import type { IncidentChange } from './incidents.ts'

export type NewSource = Omit<NewsSource, 'polling' | 'counts'> & {
  /** A digest of the canonical address: no two sources have the same. */
  readonly urlKey: string
}

/** A source as the poller reads it. */
export type DueSource = Omit<NewsSource, 'counts'>

export interface SourcePatch {
  readonly url?: string
  readonly urlKey?: string
  readonly publisher?: string
  readonly everyMinutes?: number
  readonly paused?: boolean
  /** Replaces the state of the polls, such as after a change of the address. */
  readonly polling?: PollState
  readonly dueAt?: number
}

/** The result of a poll. */
export interface PollRecord {
  readonly sourceId: string
  /** The address that was polled: if it has been changed since, nothing is recorded. */
  readonly url: string
  readonly polling: PollState
  readonly dueAt: number
}

/** An item with everything that comes of it. */
export interface ItemWrite {
  readonly item: NewsItem
  /** A digest of the canonical address; null without one. */
  readonly urlKey: string | null
  /** Base 64; null for a short text. */
  readonly fingerprint: string | null
  readonly bands: readonly number[]
  /** A summary of what was read from it: copies of one text read the same. */
  readonly gist: string
  /** Reports to queue. */
  readonly reports: readonly IncidentChange[]
  readonly proposals: readonly ProposedSource[]
  /** The story, if an editor has to find the place of what it reports. */
  readonly unplaced: UnplacedText | null
}

/** An item that was saved. */
export interface KnownItem {
  readonly id: string
  /** Empty, as `url` is null, if the story was redacted. */
  readonly title: string
  readonly url: string | null
  readonly urlKey: string | null
}

export interface SimilarItem {
  readonly id: string
  readonly fingerprint: string
  readonly gist: string
}

/** The last item of a page. */
export interface ItemPosition {
  readonly firstSeenAt: number
  readonly id: string
}

/** The last proposal of a page. */
export interface ProposalPosition {
  readonly proposedAt: number
  readonly id: string
}

/** The last story of a page. */
export interface StoryPosition {
  readonly foundAt: number
  readonly id: string
}

/** News sources, polled by one process at a time over all nodes, and their items. */
export interface Sources {
  /** Refuses a second source of the same address (`taken`), and more than `max` (`full`). */
  add(source: NewSource, max: number): Promise<NewsSource | 'taken' | 'full'>
  find(id: string): Promise<NewsSource | null>
  /** All of them, by publisher. */
  list(): Promise<NewsSource[]>
  /** The results of all last polls; cheaper than `list`, which counts their reports. */
  pollStates(): Promise<Pick<NewsSource, 'paused' | 'polling'>[]>
  /** Null if there is none; `taken` if another source has the address. */
  change(id: string, patch: SourcePatch): Promise<NewsSource | 'taken' | null>
  /** Its items and reports stay: added again, it brings nothing twice. */
  remove(id: string): Promise<boolean>
  /** Acquires or extends the lease of polling; false if another owner's is valid. */
  lease(owner: string, now: number, until: number): Promise<boolean>
  release(owner: string): Promise<void>
  /** Sources that are due and not paused, the longest due first. */
  due(now: number, limit: number): Promise<DueSource[]>
  recordPoll(record: PollRecord): Promise<void>
  /**
   * Returns the items with these ids; at most once a day each, notes that they were seen.
   */
  knownItems(ids: readonly string[], now: number): Promise<KnownItem[]>
  /** The id of the first item with this address. */
  findItemByUrl(urlKey: string): Promise<string | null>
  /** Items first seen after `since` that share a band of the fingerprint, newest first. */
  similarItems(bands: readonly number[], since: number, limit: number): Promise<SimilarItem[]>
  /**
   * Writes the item, its reports and its proposals in one transaction, and counts them for the
   * source. Returns false, and writes nothing, if the item is known or the owner has lost the
   * lease. Rejects with `StaleVersion` if a report exists.
   */
  saveItem(owner: string, write: ItemWrite, now: number): Promise<boolean>
  /** Newest first. */
  listItems(sourceId: string, state: ItemState | null, before: ItemPosition | null, limit: number): Promise<NewsItem[]>
  /**
   * Deletes up to `limit` items last seen before `time`, with their proposals; not if one is open.
   */
  deleteExpired(time: number, limit: number): Promise<number>
  findProposal(id: string): Promise<ProposedSource | null>
  /** Proposals for an incident in any state, oldest first. */
  proposalsFor(incidentId: string): Promise<ProposedSource[]>
  /** Open ones, newest first. */
  openProposals(before: ProposalPosition | null, limit: number): Promise<ProposedSource[]>
  /** Stories that report an incident without a certain place, newest first. */
  openStories(before: StoryPosition | null, limit: number): Promise<UnplacedStory[]>
  /**
   * Forgets the text of a story, and notes the incidents that an editor has filed from it: they are
   * the item's reports. Returns false if no such story is open.
   */
  closeStory(id: string, incidentIds: readonly string[]): Promise<boolean>
}

/** The operator's changes to the table of publishers, by publisher key. */
export interface Publishers {
  /** Ordered by name. */
  list(): Promise<PublisherEntry[]>
  set(entry: PublisherEntry): Promise<void>
  /** Returns false if there was no such entry. */
  remove(key: string): Promise<boolean>
}

export interface PublisherEntry {
  readonly key: string
  readonly name: string
  readonly kind: SourceClass
  readonly updatedAt: number
}
