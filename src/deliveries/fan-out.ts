import { newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { releaseAt, worstOf } from '../domain/schedule.ts'
import type { Severity } from '../domain/taxonomy.ts'
import { WATCH_EVENTS, type WatchEvent } from '../domain/watch.ts'
import { indexedFieldsOf } from '../filter/filter.ts'
import { WakeableSleep } from '../lib/concurrency.ts'
import { nextTurn, pooledRandomBytes, sleep } from '../lib/runtime.ts'
import type { FanOutPosition, LogEvent, NewDelivery, Store } from '../store/store.ts'
import type { Dispatcher, DispatcherOptions } from './dispatcher.ts'
import { EarlierVersions, earlierFilterRecipients, idsOfEvent } from './earlier-versions.ts'
import type { PlannedDelivery } from './queues.ts'
import type { MatchingWatch, WatchIndex } from './watch-index.ts'

type SharedOptions = Pick<
  DispatcherOptions,
  'owner' | 'clock' | 'runtime' | 'pollIntervalMs' | 'holdsLeases' | 'yieldsLeases' | 'onError'
>

interface FanOutOptions extends SharedOptions {
  readonly dispatcher: Pick<Dispatcher, 'isPrompt' | 'waiting' | 'plan' | 'postponedUntil' | 'sendLeased'>
}

const EVENT_BATCH = 500
/**
 * Deliveries per transaction. The first batch is small, so that it is sent early; later ones are
 * larger, because each write waits for the disk.
 */
const FIRST_BATCH = 32
const LATER_BATCH = 1000
/** Of watches not known to answer: few, so that confirmations wait briefly for the write. */
const UNPROVEN_BATCH = 32
/**
 * Matches of watches that are not first, up to which further events are matched: a reference each.
 * Those whose watches answer would wait for the rest of the others beyond that.
 */
const MAX_PENDING = 2_000_000
const LEASE_MS = 15_000
/** The lease is renewed when less than this is left of it. */
const RENEW_BELOW_MS = 10_000
const DELIVERY_LEASE_MS = 60_000
/** Deliveries made in one turn of the event loop; requests are answered in between. */
const DELIVERIES_PER_TURN = 100
/**
 * The fan-out waits this long for room in the dispatcher: handing deliveries over is free, while
 * leasing them from the database adds a third to the work.
 */
const ROOM_TIMEOUT_MS = 250
const ROOM_POLL_MS = 5

/** Events of one read of the log. */
interface LogRead {
  readonly events: LogEvent[]
  /** Monotonic time at which the log was read; null if more events may follow them. */
  readAt: number | null
}

/** Creates the deliveries of each event, in order; resumes where any process stopped. */
export class FanOut implements AsyncDisposable {
  readonly #store: Store
  readonly #index: WatchIndex
  readonly #options: FanOutOptions
  readonly #versions: EarlierVersions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  #position: FanOutPosition | null = null
  #leasedUntil = 0
  /** True since the dispatcher had no room in time: then nobody waits for it. */
  #isCongested = false

  constructor(store: Store, index: WatchIndex, options: FanOutOptions) {
    this.#store = store
    this.#index = index
    this.#options = options
    this.#versions = new EarlierVersions(store.events)
    this.#sleep = new WakeableSleep(options.pollIntervalMs, options.runtime)
    const stopListening = store.events.onAppend(() => this.#sleep.wake())
    this.#finished = this.#run().finally(stopListening)
  }

  /** Whether this process holds the lease: of all nodes, one does. */
  get leads(): boolean {
    return this.#position !== null && this.#options.clock() < this.#leasedUntil
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
    await this.#release().catch(this.#options.onError)
  }

  async #release(): Promise<void> {
    if (this.#position === null) return
    this.#position = null
    await this.#store.fanOut.release(this.#options.owner)
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      let busy = false
      try {
        busy = await this.#fanOutBatch()
      } catch (error) {
        this.#options.onError(error)
        // The lease and the position in memory may be wrong after an error: read them again.
        this.#position = null
        this.#versions.forget()
      }
      if (!busy) await this.#sleep.wait()
    }
  }

  /** Returns whether more events may be waiting. */
  async #fanOutBatch(): Promise<boolean> {
    const position = await this.#leasePosition()
    if (position === null) return false
    this.#sleep.clearWake()
    const readAt = this.#options.runtime.elapsed()
    const events = await this.#store.events.follow(position.seq, EVENT_BATCH)
    if (events.length === 0) return false
    // Includes every watch that was created before one of these events was committed.
    await this.#index.catchUp()
    const isFull = events.length === EVENT_BATCH
    await this.#writeDeliveries(position, { events, readAt: isFull ? null : readAt })
    return isFull || this.#position === null
  }

  async #leasePosition(): Promise<FanOutPosition | null> {
    const { owner, clock, holdsLeases, yieldsLeases } = this.#options
    if (yieldsLeases()) await this.#release()
    if (!holdsLeases()) return null
    const now = clock()
    const left = this.#leasedUntil - now
    // A lease that ends later was made before the clock was set back, and ends earlier since.
    if (this.#position !== null && left > RENEW_BELOW_MS && left <= LEASE_MS) return this.#position
    this.#leasedUntil = now + LEASE_MS
    this.#position = await this.#store.fanOut.lease(owner, now, this.#leasedUntil)
    return this.#position
  }

  /**
   * Writes the deliveries of these events, and of those that are appended meanwhile. Watches that
   * answer come first, in all events that are known; the position moves with the others.
   */
  async #writeDeliveries(start: FanOutPosition, read: LogRead): Promise<void> {
    const { events } = read
    const pending = new PendingEvents((watchId) => this.#options.dispatcher.isPrompt(watchId))
    const unmatched = [...events]
    let from = start
    let batchSize = FIRST_BATCH
    const write = async (matches: readonly Match[], to: FanOutPosition): Promise<boolean> => {
      batchSize = LATER_BATCH
      const isWritten = await this.#writeBatch(from, to, matches, read)
      from = to
      return isWritten
    }
    while (!this.#sleep.stopped && (unmatched.length > 0 || pending.size > 0)) {
      let first: Match[] = []
      while (unmatched.length > 0 && pending.size < MAX_PENDING) {
        const event = unmatched.shift()!
        // History of a million imported incidents is passed over quickly.
        if (!isWatchEvent(event.kind)) continue
        first = first.concat(await this.#match(event, event.kind, from, pending))
        let written = 0
        for (let end = batchEnd(first, 0, batchSize); end < first.length; end = batchEnd(first, written, batchSize)) {
          const batch = first.slice(written, end)
          if (!(await write(batch, pending.size > 0 ? from : startOf(event, from)))) return
          written = end
        }
        first = first.slice(written)
      }
      const matchedSeq = events.at(-1 - unmatched.length)!.seq
      const end = { seq: matchedSeq, afterWatchId: null }
      if (first.length > 0 || pending.size === 0) {
        if (!(await write(first, pending.size === 0 ? end : from))) return
      }
      const others = pending.take(LATER_BATCH, UNPROVEN_BATCH)
      if (others.length > 0 && !(await write(others, pending.position ?? end))) return
      if (pending.size > 0 && unmatched.length === 0) unmatched.push(...(await this.#readAppended(read)))
    }
  }

  /** Returns the matches that come first; the others are pending. */
  async #match(event: LogEvent, kind: WatchEvent, from: FanOutPosition, pending: PendingEvents): Promise<Match[]> {
    const { seq } = event
    const incident = JSON.parse(event.document) as Incident
    const fields = indexedFieldsOf(incident)
    const earlier = kind === 'incident.created' ? [] : await this.#versions.fieldsBefore(event, fields)
    const followedIds = this.#index.followsIncidents ? await idsOfEvent(event, this.#store) : []
    const notified = await earlierFilterRecipients(event, this.#index, this.#store)
    const ids = this.#index.watchesFor(kind, seq, { fields, earlier, ids: followedIds, notified })
    const after = from.seq === seq - 1 ? from.afterWatchId : null
    const watches = this.#index.matchingWatches(after === null ? ids : ids.filter((id) => id > after))
    const severity = worstOf([fields, ...earlier].map((each) => each.severity))
    return pending.add({ seq, kind, critical: incident.severity === 'critical', severity }, watches)
  }

  /** Reads events that were appended since, so that their first watches wait for no others. */
  async #readAppended(read: LogRead): Promise<LogEvent[]> {
    const { events } = read
    const position = await this.#leasePosition()
    if (position === null) return []
    events.splice(0, events.findLastIndex(({ seq }) => seq <= position.seq) + 1)
    const readAt = this.#options.runtime.elapsed()
    const appended = await this.#store.events.follow(events.at(-1)!.seq, EVENT_BATCH)
    read.readAt = appended.length < EVENT_BATCH ? readAt : null
    if (appended.length > 0) await this.#index.catchUp()
    events.push(...appended)
    return appended
  }

  /** Returns false if another process has taken over the lease; it continues the work. */
  async #writeBatch(
    from: FanOutPosition,
    to: FanOutPosition,
    matches: readonly Match[],
    { events, readAt }: LogRead,
  ): Promise<boolean> {
    const { owner, clock, dispatcher } = this.#options
    const made = await newDeliveries(matches, clock)
    // A delivery that waits for its time takes no room.
    const planned = await this.#plan(made.filter(({ dueAt }) => dueAt === undefined))
    const scheduled = made.filter(({ dueAt }) => dueAt !== undefined)
    const now = clock()
    const leaseUntil = now + DELIVERY_LEASE_MS
    const deliveries = [...planned.map((each) => this.#withDueTime(each, now)), ...scheduled]
    const dispatches = await this.#store.fanOut.write(owner, { from, to, deliveries }, now, leaseUntil)
    this.#position = dispatches === null ? null : to
    if (dispatches === null) return false
    const leased = dispatches.filter(({ delivery }) => delivery.leaseOwner !== null)
    const bySeq = new Map(events.map((event) => [event.seq, event]))
    if (leased.length > 0) dispatcher.sendLeased(leased, bySeq, leaseUntil, readAt)
    return true
  }

  /**
   * Plans which deliveries this process sends at once, and waits until the dispatcher takes all
   * whose watches answer. Once that was in vain, nobody waits for it again until it has room: a
   * full queue must not stop the fan-out.
   */
  async #plan(deliveries: readonly PlannedDelivery['delivery'][]): Promise<PlannedDelivery[]> {
    const { dispatcher } = this.#options
    // Others need not be sent at once, so nobody waits for their room.
    const busyIn = (planned: readonly PlannedDelivery[]) =>
      planned.filter(({ delivery, admission }) => admission === 'busy' && dispatcher.isPrompt(delivery.watchId)).length
    let planned = dispatcher.plan(deliveries)
    let busy = busyIn(planned)
    let polls = this.#isCongested ? 0 : ROOM_TIMEOUT_MS / ROOM_POLL_MS
    // Planning costs more than looking at the length of the queue.
    for (let enough = dispatcher.waiting - busy; polls > 0 && busy > 0 && !this.#sleep.stopped; polls--) {
      await sleep(this.#options.runtime, ROOM_POLL_MS)
      if (dispatcher.waiting > enough && polls > 1) continue
      planned = dispatcher.plan(deliveries)
      busy = busyIn(planned)
      enough = dispatcher.waiting - busy
    }
    this.#isCongested = busy > 0
    return planned
  }

  /** With the time when it falls due, if this process does not lease it. */
  #withDueTime({ delivery, admission }: PlannedDelivery, now: number): NewDelivery {
    if (admission === 'queue') return delivery
    return { ...delivery, dueAt: admission === 'busy' ? now : this.#options.dispatcher.postponedUntil(delivery) }
  }
}

/** Before the event, but not before `from`. */
function startOf({ seq }: LogEvent, from: FanOutPosition): FanOutPosition {
  return from.seq === seq - 1 ? from : { seq: seq - 1, afterWatchId: null }
}

function isWatchEvent(kind: string): kind is WatchEvent {
  return (WATCH_EVENTS as readonly string[]).includes(kind)
}

/** A delivery for each match; with its due time if its watch's schedule holds it. */
async function newDeliveries(matches: readonly Match[], clock: () => number): Promise<PlannedDelivery['delivery'][]> {
  const deliveries: PlannedDelivery['delivery'][] = []
  for (const { event, watch } of matches) {
    const now = clock()
    const id = newIdentifier('delivery', now, pooledRandomBytes)
    const { seq: eventSeq, kind, critical } = event
    const delivery = { id, watchId: watch.id, accountId: watch.accountId, eventSeq, kind, critical }
    deliveries.push(
      watch.schedule === null ? delivery : { ...delivery, ...scheduledFields(watch.schedule, event, now) },
    )
    if (deliveries.length % DELIVERIES_PER_TURN === 0) await nextTurn()
  }
  return deliveries
}

function scheduledFields(schedule: NonNullable<Match['watch']['schedule']>, { severity }: Match['event'], now: number) {
  const at = releaseAt(schedule, { severity, createdAt: now }, now)
  return at > now ? { severity, dueAt: at } : { severity }
}

interface MatchedEvent {
  readonly seq: number
  readonly kind: WatchEvent
  readonly critical: boolean
  /** The worst of any version so far: what was told at once is corrected at once. */
  readonly severity: Severity
}

/** One delivery to be written. */
export interface Match {
  readonly event: MatchedEvent
  readonly watch: MatchingWatch
  /** Whether it must be written with the match before it: both reach one person, in one message. */
  readonly joined?: true
}

interface PendingEvent extends MatchedEvent {
  /** In the order of their ids. */
  readonly watches: readonly MatchingWatch[]
  next: number
  readonly groups: ReceiverGroups
  /** Watches that are taken, from `next` on: with one before them. */
  readonly ahead: Set<MatchingWatch>
}

/** Of watches that match one event, those that share a receiver, for each of them. */
type ReceiverGroups = ReadonlyMap<MatchingWatch, readonly MatchingWatch[]>

/** Watches of one account that come first for an event; the others of a large account wait. */
const MAX_FIRST_PER_ACCOUNT = 100

/**
 * Splits the watches of events: those whose endpoints are known to answer come first, also before
 * the other watches of earlier events, so that thousands of these delay nobody. A watch that still
 * waits for an earlier event is not among the first: its deliveries keep the order of events.
 */
export class PendingEvents {
  readonly #isPrompt: (watchId: string) => boolean
  readonly #events: PendingEvent[] = []
  /** Matches that are not taken yet, by watch. */
  readonly #waiting = new Map<string, number>()
  #size = 0

  constructor(isPrompt: (watchId: string) => boolean) {
    this.#isPrompt = isPrompt
  }

  /** Matches that wait. */
  get size(): number {
    return this.#size
  }

  /**
   * Takes the watches of the next event, in the order of their ids, and returns the first ones.
   * Those of one receiver stay together.
   */
  add(event: MatchedEvent, watches: readonly MatchingWatch[]): Match[] {
    const first: Match[] = []
    const others: MatchingWatch[] = []
    const firstOf = new Map<string, number>()
    const groups = groupsOf(watches)
    for (const watch of watches) {
      const group = groups.get(watch) ?? [watch]
      if (group[0] !== watch) continue
      const count = firstOf.get(watch.accountId) ?? 0
      if (count < MAX_FIRST_PER_ACCOUNT && this.#isFirst(group)) {
        firstOf.set(watch.accountId, count + group.length)
        pushMatches(first, event, group)
      } else others.push(...group)
    }
    if (groups.size > 0) others.sort((one, other) => (one.id < other.id ? -1 : 1))
    for (const { id } of others) this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1)
    if (others.length > 0) this.#events.push({ ...event, watches: others, next: 0, groups, ahead: new Set() })
    this.#size += others.length
    return first
  }

  /** One that answers speaks for all that have its receiver. */
  #isFirst(group: readonly MatchingWatch[]): boolean {
    return group.some(({ id }) => this.#isPrompt(id)) && !group.some(({ id }) => this.#waiting.has(id))
  }

  /**
   * Takes up to `max` matches, and at most `maxUnproven` of watches that are not known to answer; a
   * few more to keep those of one receiver together.
   */
  take(max: number, maxUnproven: number): Match[] {
    const taken: Match[] = []
    for (let unproven = 0; taken.length < max && unproven < maxUnproven && this.#size > 0; ) {
      const event = this.#events[0]!
      const watch = event.watches[event.next]!
      const group = event.groups.get(watch) ?? [watch]
      pushMatches(taken, event, group)
      if (!group.some(({ id }) => this.#isPrompt(id))) unproven++
      for (const each of group) {
        event.ahead.add(each)
        this.#countTaken(each.id)
      }
      while (event.next < event.watches.length && event.ahead.delete(event.watches[event.next]!)) event.next++
      if (event.next === event.watches.length) this.#events.shift()
    }
    return taken
  }

  /** The position up to which everything is taken; null if nothing waits. */
  get position(): FanOutPosition | null {
    const event = this.#events[0]
    if (event === undefined) return null
    return { seq: event.seq - 1, afterWatchId: event.next === 0 ? null : event.watches[event.next - 1]!.id }
  }

  #countTaken(watchId: string): void {
    this.#size--
    const count = this.#waiting.get(watchId)! - 1
    if (count === 0) this.#waiting.delete(watchId)
    else this.#waiting.set(watchId, count)
  }
}

/** Few, so that confirmations do not wait for long until it is written. */
const MAX_GROUP = 96
const NO_GROUPS: ReceiverGroups = new Map()

/** Webhooks, which are most, cost a look. */
function groupsOf(watches: readonly MatchingWatch[]): ReceiverGroups {
  if (watches.every(({ receiver }) => receiver === null)) return NO_GROUPS
  const groups = new Map<MatchingWatch, readonly MatchingWatch[]>()
  for (const [receiver, all] of Map.groupBy(watches, (watch) => watch.receiver)) {
    if (receiver === null || all.length === 1) continue
    for (let start = 0; start < all.length; start += MAX_GROUP) {
      const group = all.slice(start, start + MAX_GROUP)
      for (const watch of group) groups.set(watch, group)
    }
  }
  return groups
}

function pushMatches(matches: Match[], event: MatchedEvent, [first, ...joined]: readonly MatchingWatch[]): void {
  matches.push({ event, watch: first! })
  for (const watch of joined) matches.push({ event, watch, joined: true })
}

/** The end of a batch of about `size` matches that does not part those of one receiver. */
export function batchEnd(matches: readonly Match[], start: number, size: number): number {
  let end = start + size
  while (matches[end]?.joined === true) end++
  return end
}
