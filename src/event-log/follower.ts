import type { AppliedEvent, Archive } from '../archive/archive.ts'
import { WakeableSleep } from '../lib/concurrency.ts'
import { nextTurn, type Runtime } from '../lib/runtime.ts'
import { type LogEvent, type LogPosition, type LogReader, StoreUnavailable } from '../store/store.ts'
import { positionText } from './positions.ts'

const BATCH_SIZE = 2000

interface FollowOptions {
  /** Told whenever the archive contains the whole log. */
  readonly freshness: Freshness
  readonly runtime: Runtime
  /** Milliseconds to wait for a notification before polling. */
  readonly pollEvery: number
  readonly onEvents?: (events: readonly AppliedEvent[]) => void
  /** Told once if the log has lost what the archive has; then nothing is followed any more. */
  readonly onLost: () => void
  /** Receives failures to read the log; the follower retries by itself. */
  readonly onError: (error: unknown) => void
}

type FollowedLog = Pick<LogReader, 'followHead' | 'onAppend' | 'lagMs'>

/** Applies the events of the log to an archive, on every node. */
export class Follower implements AsyncDisposable {
  readonly #archive: Archive
  readonly #log: FollowedLog
  readonly #options: FollowOptions
  readonly #sleep: WakeableSleep
  readonly #stopListening: () => void
  readonly #finished: Promise<void>
  constructor(archive: Archive, log: FollowedLog, options: FollowOptions) {
    this.#archive = archive
    this.#log = log
    this.#options = options
    this.#sleep = new WakeableSleep(options.pollEvery, options.runtime)
    this.#stopListening = log.onAppend(() => this.#sleep.wake())
    this.#finished = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening()
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      try {
        await this.#catchUp()
      } catch (error) {
        this.#options.onError(error)
        // Other failures than an unavailable store are bugs; an immediate retry would repeat them.
        if (!(error instanceof StoreUnavailable)) this.#sleep.clearWake()
      }
      await this.#sleep.wait()
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      this.#sleep.clearWake()
      const startedAt = this.#options.freshness.currentMoment()
      const events = await this.#log.followHead(this.#archive.head, BATCH_SIZE)
      if (this.#sleep.stopped) return
      if (events === null) {
        this.#sleep.stop()
        this.#options.onLost()
        return
      }
      if (events.length > 0) {
        const applied = this.#archive.apply(events)
        this.#options.onEvents?.(applied)
      }
      if (events.length < BATCH_SIZE) {
        const { lagMs } = this.#log
        if (lagMs !== null) this.#options.freshness.recordInStep(startedAt, lagMs)
        return
      }
      // Let requests in between batches of a long backlog.
      await nextTurn()
    }
  }
}

/** A node reads the log every second; above this it says that it is behind. */
const BEHIND_AFTER_MS = 5_000
/** A cached response gets a new time no more often: each time copies the response. */
const STAMP_EVERY_MS = 4_000

interface Moment {
  readonly at: string
  readonly elapsed: number
}

interface Clocks {
  readonly clock: () => number
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
}

/** Knows when the archive of this node was last in step with the log. */
export class Freshness {
  readonly #clocks: Clocks
  #inStep: Moment
  #stamp: Moment
  #since: string

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#inStep = this.currentMoment()
    this.#stamp = this.#inStep
    this.#since = this.#inStep.at
  }

  /** The last time at which the archive was known to contain the whole log, in ISO form. */
  get inStepAt(): string {
    return this.#inStep.at
  }

  /** The same for cached responses: while the archive is in step, up to some seconds earlier. */
  get stamp(): string {
    return this.behindMs > BEHIND_AFTER_MS ? this.#inStep.at : this.#stamp.at
  }

  /**
   * Since when the archive has been in step without a break, as an ISO time; null while it is not.
   */
  get inStepSince(): string | null {
    return this.behindMs > BEHIND_AFTER_MS ? null : this.#since
  }

  /**
   * Milliseconds since `inStepAt`, by the monotonic clock: setting the other one makes no feed
   * stale.
   */
  get behindMs(): number {
    return this.#clocks.elapsed() - this.#inStep.elapsed
  }

  /** Whole seconds since then; null while the archive is in step. */
  get staleSeconds(): number | null {
    const behind = this.behindMs
    return behind > BEHIND_AFTER_MS ? Math.floor(behind / 1000) : null
  }

  currentMoment(): Moment {
    return { at: new Date(this.#clocks.clock()).toISOString(), elapsed: this.#clocks.elapsed() }
  }

  /** Records that the archive has everything that was in the log so long before that moment. */
  recordInStep(until: Moment, lagMs = 0): void {
    const moment = lagMs === 0 ? until : momentBefore(until, lagMs)
    // A standby that is used again is further behind than the primary was.
    if (moment.elapsed < this.#inStep.elapsed) return
    if (moment.elapsed - this.#inStep.elapsed > BEHIND_AFTER_MS) this.#since = moment.at
    this.#inStep = moment
    if (moment.elapsed - this.#stamp.elapsed >= STAMP_EVERY_MS) this.#stamp = moment
  }
}

function momentBefore({ at, elapsed }: Moment, ms: number): Moment {
  return { at: new Date(Date.parse(at) - ms).toISOString(), elapsed: elapsed - ms }
}

const MAX_EVENTS = 20_000
const MAX_CHARACTERS = 32 << 20

/**
 * The newest events of the log since this node's start, in memory and bounded. Clients that keep up
 * are served from here; only those returning after a long time reach the database.
 */
export class RecentEvents<Event extends LogEvent = LogEvent> {
  readonly #maxEvents: number
  readonly #maxCharacters: number
  #events: Event[] = []
  /** The number of events at the beginning of `#events` that are evicted but not yet removed. */
  #evicted = 0
  #characters = 0
  #since: number
  /** Of the events after `#linkedSince`, those that a redaction has taken from here included. */
  #links: string[] = []
  #linkedSince: LogPosition

  /** Starts empty, after that event. */
  constructor(since: LogPosition, max: { events?: number; characters?: number } = {}) {
    this.#since = since.seq
    this.#linkedSince = since
    this.#maxEvents = max.events ?? MAX_EVENTS
    this.#maxCharacters = max.characters ?? MAX_CHARACTERS
  }

  /** The earliest position after which every event is still here. */
  get since(): number {
    return this.#since
  }

  /** The earliest position after which every link is still here. */
  get linkedSince(): number {
    return this.#linkedSince.seq
  }

  /**
   * Adds events in order. After a gap it starts anew: a gap must never be served. So it does with a
   * redaction: the versions before it are read from the log, which no longer has what was taken
   * out.
   */
  addEvents(events: readonly Event[]): void {
    for (const event of events) {
      const { seq, link = '' } = event
      const head = this.#since + this.#events.length - this.#evicted
      if (seq <= head) continue
      if (seq !== head + 1) {
        this.#links = []
        this.#linkedSince = { seq: seq - 1, link: '' }
      }
      if (seq !== head + 1 || event.redacted) this.#restartAfter(seq - 1)
      this.#events.push(event)
      this.#links.push(link)
      this.#characters += event.document.length
    }
    this.#evict()
  }

  /** Returns the events after `seq`, at most `limit`; null if some of them are evicted. */
  after(seq: number, limit: number): readonly Event[] | null {
    if (seq < this.#since) return null
    const start = this.#evicted + seq - this.#since
    return this.#events.slice(start, start + limit)
  }

  /** Null if it is not known. */
  linkOf(seq: number): string | null {
    const { seq: since, link } = this.#linkedSince
    return (seq === since ? link : this.#links[seq - since - 1]) || null
  }

  #restartAfter(seq: number): void {
    this.#since = seq
    this.#events = []
    this.#evicted = 0
    this.#characters = 0
  }

  #evict(): void {
    const events = this.#events
    while (events.length - this.#evicted > this.#maxEvents || this.#characters > this.#maxCharacters) {
      const { seq, document } = events[this.#evicted]!
      this.#characters -= document.length
      this.#evicted++
      this.#since = seq
    }
    // Compact rarely: shifting 20,000 events would cost more than the arrival itself.
    if (this.#evicted * 2 > events.length) {
      this.#events = events.slice(this.#evicted)
      this.#evicted = 0
    }
    if (this.#links.length > 2 * this.#maxEvents) {
      const [last] = this.#links.splice(0, this.#maxEvents).slice(-1)
      this.#linkedSince = { seq: this.linkedSince + this.#maxEvents, link: last! }
    }
  }
}

interface ReadableLog {
  readonly reader: Pick<LogReader, 'after'>
}

/** Returns up to `limit` applied events after `seq`, in order, from memory or else from the log. */
export async function changesAfter(
  archive: Archive,
  recent: RecentEvents,
  { reader }: ReadableLog,
  seq: number,
  limit: number,
): Promise<readonly LogEvent[]> {
  const head = archive.head.seq
  // Another node is ahead and has sent the client events that this one still lacks.
  if (seq >= head) return []
  const events = recent.after(seq, limit) ?? (await reader.after(seq, limit))
  return events.filter((event) => event.seq <= head)
}

/**
 * Writes a change as JSON with the incident's document from the log. A retracted incident is
 * written as null: the log keeps its document, clients must not receive it. A change that took the
 * incident from the feed has none even if it is back, and says where a merged one went. `redacted`
 * is written only if it is true.
 */
export function changeJson(archive: Pick<Archive, 'slotOf' | 'mergedInto'>, event: LogEvent): string {
  const { seq, kind, at, incidentId, document, redacted } = event
  const isGone = kind === 'incident.retracted'
  const incident = isGone || archive.slotOf(incidentId) === null ? 'null' : document
  const into = isGone ? archive.mergedInto(incidentId) : null
  const time = new Date(at).toISOString()
  const about = JSON.stringify({
    seq,
    position: positionText(event),
    event: kind,
    at: time,
    incident_id: incidentId,
    redacted,
  })
  return `${about.slice(0, -1)},"incident":${incident}${into === null ? '' : `,"merged_into":"${into}"`}}`
}
