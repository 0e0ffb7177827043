import {
  type FeedItem,
  type ItemState,
  nextPollAt,
  POLL_PROBLEMS,
  type PollProblem,
  type PollProblemCode,
  type PollState,
} from '../../domain/sources.ts'
import { eventLoopShare, type Semaphore, WakeableSleep } from '../../lib/concurrency.ts'
import type { Runtime } from '../../lib/runtime.ts'
import { type DueSource, StaleVersion, StoreUnavailable } from '../../store/store.ts'
import type { FeedReader } from './feed-reader.ts'
import { type FeedFetcher, FetchProblem } from './fetch-feed.ts'
import { type KnownFeed, knownFeed, type ReadingParts, takeItem } from './take-item.ts'

interface PollerOptions extends ReadingParts {
  readonly owner: string
  readonly fetcher: Pick<FeedFetcher, 'fetch'>
  readonly reader: Pick<FeedReader, 'read'>
  /** One item at a time over all sources: two copies of a story must not pass each other. */
  readonly taking: Semaphore
  readonly clock: () => number
  readonly runtime: Runtime
  readonly random: () => number
  readonly onError: (error: unknown) => void
  readonly onPolled: PollListener
  /** True while newer nodes are to poll. */
  readonly yieldsLeases: () => boolean
  /** Time between two looks at what is due, in milliseconds. */
  readonly intervalMs?: number
}

/** Counts a poll: its result, and what became of the items that were saved. */
export type PollListener = (polled: {
  readonly result: 'read' | 'unchanged' | PollProblemCode
  readonly items: readonly ItemState[]
}) => void

const INTERVAL_MS = 2_000
const MAX_AT_ONCE = 4
/** A process that ends without releasing the lease delays the polls by so much, at most. */
const LEASE_MS = 60_000
/** A poll that could not be recorded is not repeated at once: the server is not to be flooded. */
const RETRY_UNRECORDED_MS = 60_000

/** Polls the sources that are due, in one process at a time over all nodes. */
export class SourcePoller implements AsyncDisposable {
  readonly #options: PollerOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  /** Until when, by the monotonic clock, a source waits whose last poll could not be recorded. */
  readonly #unrecorded = new Map<string, number>()
  /** Ends the polls that run when the lease is lost. */
  #leased = new AbortController()
  #leasedUntil = 0

  constructor(options: PollerOptions) {
    this.#options = options
    this.#sleep = new WakeableSleep(options.intervalMs ?? INTERVAL_MS, options.runtime)
    this.#finished = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#sleep.stop()
    await this.#finished
    await Promise.all(this.#running.values())
    await this.#release().catch(this.#options.onError)
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      await this.#startPolls().catch(this.#options.onError)
      await this.#sleep.wait()
    }
  }

  async #startPolls(): Promise<void> {
    const { store, clock, yieldsLeases } = this.#options
    if (yieldsLeases()) return await this.#release()
    // A poll that ends while this is read may still be due in it.
    const polledMeanwhile = new Set(this.#running.keys())
    const waiting = this.#running.size + this.#unrecorded.size
    const due = await store.sources.due(clock(), MAX_AT_ONCE + waiting)
    if (due.length === 0 && this.#running.size === 0) return
    if (!(await this.#holdLease())) return
    for (const source of due) {
      const mayStart = !polledMeanwhile.has(source.id) && this.#mayStart(source)
      if (this.#running.size < MAX_AT_ONCE && mayStart) this.#start(source)
    }
  }

  /** Extends the lease when half of it is over. */
  async #holdLease(): Promise<boolean> {
    const { store, owner, clock } = this.#options
    const now = clock()
    const left = this.#leasedUntil - now
    // A lease that ends later was made before the clock was set back, and ends earlier since.
    if (left > LEASE_MS / 2 && left <= LEASE_MS) return true
    if (await store.sources.lease(owner, now, now + LEASE_MS)) {
      this.#leasedUntil = now + LEASE_MS
      return true
    }
    this.#endPolls()
    return false
  }

  /** Gives the lease to another process. */
  async #release(): Promise<void> {
    const { store, owner } = this.#options
    if (this.#leasedUntil === 0) return
    this.#endPolls()
    await store.sources.release(owner)
  }

  #endPolls(): void {
    this.#leased.abort()
    this.#leased = new AbortController()
    this.#leasedUntil = 0
  }

  #mayStart({ id }: DueSource): boolean {
    const { elapsed } = this.#options.runtime
    return !this.#sleep.stopped && !this.#running.has(id) && elapsed() >= (this.#unrecorded.get(id) ?? 0)
  }

  #start(source: DueSource): void {
    const { runtime, onError } = this.#options
    const signal = AbortSignal.any([this.#stopping.signal, this.#leased.signal])
    const polled = pollSource(source, this.#options, signal)
      .then(
        () => {
          this.#unrecorded.delete(source.id)
          this.#sleep.wake()
        },
        (error: unknown) => {
          if (signal.aborted) return
          this.#unrecorded.set(source.id, runtime.elapsed() + RETRY_UNRECORDED_MS)
          onError(error)
        },
      )
      .finally(() => this.#running.delete(source.id))
    this.#running.set(source.id, polled)
  }
}

/**
 * An unchanged document is read again this often: an item that no document has shown for 90 days is
 * forgotten, and would be taken for a new one.
 */
const READ_AGAIN_MS = 30 * 86_400_000
const UNKNOWN = { etag: null, lastModified: null }
/** New items of one poll; the rest follows soon. */
const MAX_NEW_ITEMS = 100

/**
 * Polls a source once and records what was found. Rejects if the store fails or `signal` aborts.
 */
async function pollSource(source: DueSource, parts: PollerOptions, signal: AbortSignal): Promise<void> {
  const { store, fetcher, reader, clock } = parts
  const before = source.polling
  try {
    const readFor = clock() - (before.readAt ?? 0)
    const isRecent = readFor >= 0 && readFor < READ_AGAIN_MS
    const fetched = await fetcher.fetch(source.url, isRecent ? before : UNKNOWN, signal)
    const { movedTo } = fetched
    if (fetched.kind === 'unchanged') {
      parts.onPolled({ result: 'unchanged', items: [] })
      await record({ ...before, movedTo }, null, null, false)
      return
    }
    const items = await reader.read(fetched.text)
    const { saved, isComplete, hasLeftOver, failedItems } = await takeItems(source, items, parts, signal)
    // Without validators the whole document comes again, with the items that are missing.
    const { etag, lastModified } = isComplete ? fetched : UNKNOWN
    const newItemAt = saved.length > 0 ? clock() : before.newItemAt
    const problem: PollProblem | null =
      failedItems === 0
        ? null
        : { code: 'items_failed', detail: `${failedItems} failed. ${POLL_PROBLEMS.items_failed}` }
    parts.onPolled({ result: problem?.code ?? 'read', items: saved })
    await record({ ...before, etag, lastModified, movedTo, readAt: clock(), newItemAt }, problem, null, hasLeftOver)
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    parts.onPolled({ result: error.problem.code, items: [] })
    await record(before, error.problem, error.retryAfterMs, false)
  }

  async function record(
    polled: PollState,
    problem: PollProblem | null,
    retryAfterMs: number | null,
    hasLeftOver: boolean,
  ): Promise<void> {
    const now = clock()
    const failures = problem === null ? 0 : before.failures + 1
    const polling: PollState = {
      ...polled,
      polledAt: now,
      succeededAt: problem === null ? now : before.succeededAt,
      failures,
      failingSince: problem === null ? null : (before.failingSince ?? now),
      problem,
    }
    const result = { failures, problem: problem?.code ?? null, retryAfterMs, hasLeftOver }
    const dueAt = nextPollAt(result, source.everyMinutes, now, parts.random)
    await store.sources.recordPoll({ sourceId: source.id, url: source.url, polling, dueAt })
  }
}

/** The oldest first, so that the first report of a story comes before its copies. */
async function takeItems(source: DueSource, items: readonly FeedItem[], parts: PollerOptions, signal: AbortSignal) {
  const { store, clock } = parts
  const feed = knownFeed(source.url, items)
  const byId = new Map(items.map((item) => [feed.idOf(item), item]))
  const known = await store.sources.knownItems(items.flatMap(feed.savedAs), clock())
  const saved = new Map(known.map((item) => [item.id, item]))
  const unknown = [...byId.values()].filter((item) => !feed.isSaved(item, saved))
  const taken = unknown.sort((one, other) => (one.publishedAt ?? 0) - (other.publishedAt ?? 0)).slice(0, MAX_NEW_ITEMS)
  const states: ItemState[] = []
  let failedItems = 0
  for (const item of taken) {
    signal.throwIfAborted()
    await eventLoopShare.nextSlice('sources')
    try {
      const state = await parts.taking.run(() => saveItem(source, feed, item, parts))
      if (state !== null) states.push(state)
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      failedItems++
      parts.onError(error)
    }
  }
  return {
    saved: states,
    /** Not if the lease was lost: this process saves nothing then. */
    isComplete: states.length === unknown.length,
    hasLeftOver: taken.length < unknown.length,
    failedItems,
  }
}

/** Returns the item's state; null if it was known, or the lease is lost. */
async function saveItem(source: DueSource, feed: KnownFeed, found: FeedItem, parts: PollerOptions) {
  const { store, owner, clock } = parts
  const now = clock()
  const write = await takeItem(source, feed, found, parts, now)
  try {
    return (await store.sources.saveItem(owner, write, now)) ? write.item.state : null
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error
    // Its reports were queued before the item was forgotten.
    const item = { ...write.item, state: 'duplicate', incidentIds: [] } as const
    const repeated = { ...write, item, reports: [], proposals: [], unplaced: null }
    return (await store.sources.saveItem(owner, repeated, now)) ? 'duplicate' : null
  }
}
