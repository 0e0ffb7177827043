import type { ServerResponse } from 'node:http'
import type { AppliedEvent, Archive } from '../archive/archive.ts'
import type { Incident } from '../domain/incident.ts'
import type { Freshness, RecentEvents } from '../event-log/follower.ts'
import { positionText } from '../event-log/positions.ts'
import { type IndexedFields, indexedFieldsOf, type StreamFilter } from '../filter/filter.ts'
import { matches } from '../filter/matches.ts'
import { Semaphore } from '../lib/concurrency.ts'
import { nextTurn, type Runtime, type Timer } from '../lib/runtime.ts'
import { Matcher } from '../matching/matcher.ts'
import type { EventLog, LogEvent, LogPosition } from '../store/store.ts'
import {
  eventFrame,
  frameBytes,
  heartbeatFrame,
  resetFrame,
  STREAM_LIMITS,
  StreamConnection,
  type StreamLimits,
  type StreamSubscription,
} from './stream-connection.ts'

interface StreamDependencies {
  readonly archive: Pick<Archive, 'slotOf' | 'mergedInto' | 'head'>
  readonly recent: RecentEvents<AppliedEvent>
  readonly log: Log
  readonly freshness: Pick<Freshness, 'inStepAt'>
  readonly clock: () => number
  readonly runtime: Runtime
  readonly random: () => number
  readonly onError: (error: unknown) => void
}

/** Heartbeats are sent to one group at a time: ten thousand at once would delay every request. */
const HEARTBEAT_GROUPS = 15
/** Events published per turn of the event loop; their length as a share of `maxBufferedBytes`. */
const EVENTS_PER_TURN = 32
const BUFFER_FRACTION = 8
const RETRY_MS = 3000
/** Clients reconnect after a random time in this range, not all at once. */
const RECONNECT_MS = { least: 1000, most: 5000 } as const
const CLOSE_TIMEOUT_MS = 1000

/**
 * Holds every open stream of this node. Each event, in log order, is matched once against all
 * filters and encoded once; all clients receive the same bytes. A reconnecting client first
 * receives the events it missed and joins the others exactly where it has caught up: no event is
 * lost or repeated.
 */
export class Streams implements AsyncDisposable {
  readonly #dependencies: StreamDependencies
  readonly #limits: StreamLimits
  readonly #replay: Replay
  readonly #matcher = new Matcher<StreamConnection>()
  readonly #connections = new Set<StreamConnection>()
  readonly #heartbeatTimer: Timer
  #connectionCount = 0
  #heartbeatGroup = 0
  /** Events not yet published, up to `#received`. */
  #queue: AppliedEvent[] = []
  #received: LogPosition
  /** The last event published to all clients that have caught up. */
  #head: LogPosition
  #publishing = false
  #dropped = 0
  #whenEmpty: () => void = () => {}

  constructor(dependencies: StreamDependencies, limits: Partial<StreamLimits> = {}) {
    this.#dependencies = dependencies
    this.#limits = { ...STREAM_LIMITS, ...limits }
    this.#replay = new Replay(dependencies.recent, dependencies.log)
    this.#received = dependencies.archive.head
    this.#head = this.#received
    this.#heartbeatTimer = dependencies.runtime.setInterval(
      () => this.#sendHeartbeats(),
      this.#limits.heartbeatIntervalMs / HEARTBEAT_GROUPS,
    )
  }

  get open(): number {
    return this.#connections.size
  }

  /** Clients disconnected because they did not read. */
  get dropped(): number {
    return this.#dropped
  }

  /** Takes over a response whose headers have been written. */
  addConnection(response: ServerResponse, subscription: StreamSubscription): void {
    const { clock, random } = this.#dependencies
    const after = subscription.after ?? { seq: this.#head.seq, text: positionText(this.#head) }
    const tooOld = this.#head.seq - after.seq > this.#limits.maxReplayedEvents
    // Randomised: clients that connected together must not always reconnect together.
    const endsAt = clock() + this.#limits.maxDurationMs * (1 - 0.2 * random())
    const heartbeatGroup = this.#connectionCount++ % HEARTBEAT_GROUPS
    const connection = new StreamConnection(response, subscription, {
      after: tooOld ? this.#head.seq : after.seq,
      endsAt,
      heartbeatGroup,
    })
    this.#connections.add(connection)
    response.on('close', () => this.#removeConnection(connection))
    connection.write(frameBytes({ retry: RETRY_MS, id: tooOld ? positionText(this.#head) : after.text }))
    if (tooOld) connection.write(resetFrame(after.text, this.#head))
    this.#catchUp(connection).catch((error: unknown) => {
      this.#dependencies.onError(error)
      this.#askToReconnect(connection)
    })
  }

  /** Takes events in the order of the log. */
  publish(events: readonly AppliedEvent[]): void {
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined) return
    const end = positionOf(last)
    // After a gap all clients must reconnect: the replay then includes the missing events.
    if (first.seq !== this.#received.seq + 1) {
      this.#queue = []
      this.#head = end
      for (const connection of this.#connections) this.#askToReconnect(connection)
    } else this.#queue.push(...events.filter(isStreamed))
    this.#received = end
    if (!this.#publishing) this.#publishQueued()
  }

  /** Ends the streams opened with these keys. */
  revoke(keyHashes: ReadonlySet<string>): void {
    if (keyHashes.size === 0) return
    for (const connection of this.#connections)
      if (keyHashes.has(connection.subscription.keyHash)) this.#askToReconnect(connection)
  }

  /** Asks all clients to reconnect, waits for them, and disconnects the rest after a timeout. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { runtime } = this.#dependencies
    runtime.clear(this.#heartbeatTimer)
    if (this.#connections.size === 0) return
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve
    })
    for (const connection of this.#connections) this.#askToReconnect(connection)
    const timer = runtime.setTimeout(() => {
      for (const connection of this.#connections) connection.disconnect()
    }, CLOSE_TIMEOUT_MS)
    await empty
    runtime.clear(timer)
  }

  /** Yields to the network between batches: a client that reads in time must not seem stalled. */
  #publishQueued(): void {
    let characters = 0
    let count = 0
    for (const event of this.#queue) {
      if (characters > this.#limits.maxBufferedBytes / BUFFER_FRACTION || count === EVENTS_PER_TURN) break
      this.#publishEvent(event)
      this.#head = positionOf(event)
      characters += event.document.length
      count++
    }
    this.#queue.splice(0, count)
    this.#publishing = this.#queue.length > 0
    if (this.#publishing) setImmediate(() => this.#publishQueued())
    else this.#head = this.#received
  }

  #publishEvent(event: AppliedEvent): void {
    const facts = event.after ?? event.before
    if (facts === null) return
    const before = event.after === null || event.before === null ? [] : [event.before]
    let bytes: Buffer | null = null
    for (const { subscribers } of this.#matcher.matchesFor(facts, before)) {
      for (const connection of subscribers) {
        // Another node may have sent the event to this client before it arrived here.
        if (event.seq <= connection.after) continue
        bytes ??= eventFrame(this.#dependencies.archive, event)
        this.#write(connection, bytes)
      }
    }
  }

  /** Checks the buffer before writing: the client cannot have read what is written in this turn. */
  #write(connection: StreamConnection, bytes: Buffer): void {
    if (connection.bufferedBytes > this.#limits.maxBufferedBytes) this.#drop(connection)
    else connection.write(bytes)
  }

  async #catchUp(connection: StreamConnection): Promise<void> {
    const { filter, filterText } = connection.subscription
    let position = connection.after
    while (connection.isOpen) {
      if (position >= this.#head.seq) {
        this.#matcher.set(connection, filterText, () => filter)
        return
      }
      const batch = await this.#replay.readBatch(position, this.#head.seq, filter)
      for (const event of batch.events) {
        connection.write(eventFrame(this.#dependencies.archive, event))
        await connection.waitForDrain()
      }
      position = batch.position
    }
  }

  #sendHeartbeats(): void {
    this.#heartbeatGroup = (this.#heartbeatGroup + 1) % HEARTBEAT_GROUPS
    const now = this.#dependencies.clock()
    const { inStepAt } = this.#dependencies.freshness
    const whileReplaying = heartbeatFrame(null, inStepAt)
    const atHead = heartbeatFrame(this.#head, inStepAt)
    for (const connection of this.#connections) {
      if (connection.heartbeatGroup !== this.#heartbeatGroup) continue
      if (now >= connection.endsAt) this.#askToReconnect(connection)
      else if (connection.stillStalled()) this.#drop(connection)
      else {
        // Only a client that has received everything up to the head may take it as its position.
        const caughtUp = this.#matcher.has(connection) && connection.after <= this.#head.seq
        this.#write(connection, caughtUp ? atHead : whileReplaying)
        this.#checkKey(connection)
      }
    }
  }

  #checkKey(connection: StreamConnection): void {
    const endIfInvalid = (valid: boolean) => {
      if (!valid) this.#askToReconnect(connection)
    }
    const valid = connection.subscription.isKeyValid()
    if (typeof valid === 'boolean') endIfInvalid(valid)
    else valid.then(endIfInvalid, this.#dependencies.onError)
  }

  #drop(connection: StreamConnection): void {
    this.#dropped++
    this.#matcher.remove(connection)
    connection.disconnect()
  }

  #askToReconnect(connection: StreamConnection): void {
    const { least, most } = RECONNECT_MS
    this.#matcher.remove(connection)
    connection.end(frameBytes({ retry: Math.round(least + (most - least) * this.#dependencies.random()) }))
  }

  #removeConnection(connection: StreamConnection): void {
    this.#matcher.remove(connection)
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#whenEmpty()
  }
}

function positionOf({ seq, link = '' }: LogEvent): LogPosition {
  return { seq, link }
}

type Log = Pick<EventLog, 'after' | 'documentBefore'>

/** Events checked per batch; events in memory are shared, log reads are per client. */
const BATCH = { recent: 500, log: 50 } as const
/** Protects the database after a node's start, when all its clients reconnect at once. */
const MAX_CONCURRENT_READS = 4

interface ReplayBatch {
  /** Matching events, in order. */
  readonly events: readonly LogEvent[]
  /** All events up to this one have been checked. */
  readonly position: number
}

/** Reads events that a reconnecting client missed: recent ones from memory, others from the log. */
export class Replay {
  readonly #recent: RecentEvents<AppliedEvent>
  readonly #log: Log
  readonly #logReads = new Semaphore(MAX_CONCURRENT_READS)

  constructor(recent: RecentEvents<AppliedEvent>, log: Log) {
    this.#recent = recent
    this.#log = log
  }

  /** Reads the next events after `position`, none beyond `until`. */
  async readBatch(position: number, until: number, filter: StreamFilter): Promise<ReplayBatch> {
    const recent = this.#recent.after(position, Math.min(BATCH.recent, until - position))
    if (recent === null) return this.#logReads.run(() => this.#readFromLog(position, until, filter))
    // Many clients may be catching up at once: yield to the rest of the service.
    await nextTurn()
    const events = recent.filter(
      (event) => isStreamed(event) && (matchesFields(filter, event.after) || matchesFields(filter, event.before)),
    )
    return { events, position: recent.at(-1)?.seq ?? position }
  }

  async #readFromLog(position: number, until: number, filter: StreamFilter): Promise<ReplayBatch> {
    const found = await this.#log.after(position, Math.min(BATCH.log, until - position))
    const events: LogEvent[] = []
    for (const event of found) if (isStreamed(event) && (await this.#matchesEvent(filter, event))) events.push(event)
    return { events, position: found.at(-1)?.seq ?? position }
  }

  async #matchesEvent(filter: StreamFilter, { kind, document, incidentId, seq }: LogEvent): Promise<boolean> {
    if (matchesFields(filter, fieldsIn(document))) return true
    if (kind === 'incident.created') return false
    const before = await this.#log.documentBefore(incidentId, seq)
    return before !== null && matchesFields(filter, fieldsIn(before))
  }
}

/** Imported history is not news. */
export function isStreamed({ kind }: LogEvent): boolean {
  return kind !== 'incident.imported'
}

function fieldsIn(document: string): IndexedFields {
  return indexedFieldsOf(JSON.parse(document) as Incident)
}

/** A live filter has no time condition, so any time will do for `matches`. */
function matchesFields(filter: StreamFilter, fields: IndexedFields | null): boolean {
  return fields !== null && matches(filter, fields, 0)
}
