import type { ServerResponse } from 'node:http'
import type { Archive } from '../archive/archive.ts'
import type { AppliedEvent } from '../archive/recent-changes.ts'
import type { RecentEvents } from '../event-log/recent-events.ts'
import { Matcher } from '../matching/matcher.ts'
import type { EventLog } from '../store/store.ts'
import { frameBytes } from './frame.ts'
import { eventFrame, resetFrame } from './notices.ts'
import { isStreamed, Replay } from './replay.ts'
import { StreamConnection, type StreamSubscription } from './stream-connection.ts'
import { STREAM_TUNING, type StreamLimits } from './tuning.ts'

export interface StreamDependencies {
  readonly archive: Pick<Archive, 'slotOf' | 'head'>
  readonly recent: RecentEvents<AppliedEvent>
  readonly log: EventLog
  readonly clock: () => number
  readonly random: () => number
  readonly onError: (error: unknown) => void
}

/** Heartbeats are sent in so many portions: ten thousand at one moment would be felt by everybody. */
const PORTIONS = 15
/** Told before the network gets its turn: so many events, and in characters this share of the bytes that may wait. */
const EVENTS_AT_ONCE = 32
const WAITING_SHARE = 8
const RETRY = 3000
/** When all have to come back, they come within this time after the shortest wait, not all at once. */
const RETRY_SPREAD = { least: 1000, most: 5000 } as const
const GOODBYE_WITHIN = 1000

/**
 * Every open stream of this node. Events come in the order of the log; each is matched once against all filters, written once as bytes,
 * and the same bytes go to everybody. A reader who comes back is first given what it missed, and joins the others at the very
 * event where it has caught up: nothing is left out, nothing comes twice.
 */
export class Streams implements AsyncDisposable {
  readonly #parts: StreamDependencies
  readonly #tuning: StreamLimits
  readonly #past: Replay
  readonly #matcher = new Matcher<StreamConnection>()
  readonly #connections = new Set<StreamConnection>()
  readonly #sweeping: NodeJS.Timeout
  #added = 0
  #portion = 0
  /** Events still to be told, up to `#received`. */
  #queue: AppliedEvent[] = []
  #received: number
  /** The last event that all who have joined were told of. */
  #head: number
  #pumping = false
  #dropped = 0
  #whenEmpty: () => void = () => {}

  constructor(parts: StreamDependencies, tuning: Partial<StreamLimits> = {}) {
    this.#parts = parts
    this.#tuning = { ...STREAM_TUNING, ...tuning }
    this.#past = new Replay(parts.recent, parts.log)
    this.#received = parts.archive.head.seq
    this.#head = this.#received
    this.#sweeping = setInterval(() => this.#sweep(), this.#tuning.heartbeatIntervalMs / PORTIONS)
  }

  get open(): number {
    return this.#connections.size
  }

  /** How many were cut off because they did not read. */
  get dropped(): number {
    return this.#dropped
  }

  get head(): number {
    return this.#head
  }

  /** Takes over a response whose headers are written. */
  addConnection(response: ServerResponse, subscription: StreamSubscription): void {
    const { clock, random } = this.#parts
    const after = subscription.after ?? this.#head
    const tooOld = this.#head - after > this.#tuning.maxReplayedEvents
    // Not all after the same time: those who came together after a restart would come back together for ever.
    const endsAt = clock() + this.#tuning.maxDurationMs * (1 - 0.2 * random())
    const portion = this.#added++ % PORTIONS
    const connection = new StreamConnection(response, subscription, {
      after: tooOld ? this.#head : after,
      endsAt,
      portion,
    })
    this.#connections.add(connection)
    response.on('close', () => this.#forget(connection))
    connection.write(frameBytes({ retry: RETRY, id: connection.after }))
    if (tooOld) connection.write(resetFrame(after, this.#head))
    this.#catchUp(connection).catch((error: unknown) => {
      this.#parts.onError(error)
      this.#sayGoodbye(connection)
    })
  }

  /** Tells of events, in the order of the log. */
  publish(events: readonly AppliedEvent[]): void {
    const [first] = events
    if (first === undefined) return
    // A gap must never be told past: whoever comes back is given all of it from the log.
    if (first.seq !== this.#received + 1) {
      this.#queue = []
      this.#head = events.at(-1)!.seq
      for (const connection of this.#connections) this.#sayGoodbye(connection)
    } else this.#queue.push(...events.filter(isStreamed))
    this.#received = events.at(-1)!.seq
    if (!this.#pumping) this.#pump()
  }

  /** Ends the streams that came with any of these keys. */
  revoke(keyHashes: ReadonlySet<string>): void {
    if (keyHashes.size === 0) return
    for (const connection of this.#connections)
      if (keyHashes.has(connection.subscription.keyHash)) this.#sayGoodbye(connection)
  }

  /** Asks everybody to come back, and waits until they are gone; those who do not listen are cut off. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeping)
    if (this.#connections.size === 0) return
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve
    })
    for (const connection of this.#connections) this.#sayGoodbye(connection)
    const impatience = setTimeout(() => {
      for (const connection of this.#connections) connection.disconnect()
    }, GOODBYE_WITHIN)
    await empty
    clearTimeout(impatience)
  }

  /** Some at a time: between them the network has its turn, so that a reader who keeps up never seems not to. */
  #pump(): void {
    let characters = 0
    let count = 0
    for (const event of this.#queue) {
      if (characters > this.#tuning.maxBufferedBytes / WAITING_SHARE || count === EVENTS_AT_ONCE) break
      this.#tellOne(event)
      this.#head = event.seq
      characters += event.document.length
      count++
    }
    this.#queue.splice(0, count)
    this.#pumping = this.#queue.length > 0
    if (this.#pumping) setImmediate(() => this.#pump())
    else this.#head = this.#received
  }

  #tellOne(event: AppliedEvent): void {
    const facts = event.after ?? event.before
    if (facts === null) return
    const before = event.after === null ? null : event.before
    let bytes: Buffer | null = null
    for (const { subscribers } of this.#matcher.matchesFor(facts, before)) {
      for (const connection of subscribers) {
        // Another node may have told this reader before the event came here.
        if (event.seq <= connection.after) continue
        bytes ??= eventFrame(this.#parts.archive, event)
        this.#write(connection, bytes)
      }
    }
  }

  /** Looked at before and not after: what was written this moment could not have been read. */
  #write(connection: StreamConnection, bytes: Buffer): void {
    if (connection.bufferedBytes > this.#tuning.maxBufferedBytes) this.#drop(connection)
    else connection.write(bytes)
  }

  async #catchUp(connection: StreamConnection): Promise<void> {
    const { filter, filterText } = connection.subscription
    let position = connection.after
    while (connection.isOpen) {
      if (position >= this.#head) {
        this.#matcher.set(connection, filterText, () => filter)
        return
      }
      const step = await this.#past.readBatch(position, this.#head, filter)
      for (const event of step.events) {
        connection.write(eventFrame(this.#parts.archive, event))
        await connection.waitForDrain()
      }
      position = step.position
    }
  }

  #sweep(): void {
    this.#portion = (this.#portion + 1) % PORTIONS
    const now = this.#parts.clock()
    const alive = frameBytes({ comment: 'alive' })
    const aliveAtHead = frameBytes({ comment: 'alive', id: this.#head })
    for (const connection of this.#connections) {
      if (connection.portion !== this.#portion) continue
      if (now >= connection.endsAt) this.#sayGoodbye(connection)
      else if (connection.stillStalled()) this.#drop(connection)
      else {
        // Only who has been told of everything up to the head may take it for its position.
        const joined = this.#matcher.has(connection) && connection.after <= this.#head
        this.#write(connection, joined ? aliveAtHead : alive)
        this.#checkKey(connection)
      }
    }
  }

  #checkKey(connection: StreamConnection): void {
    const judge = (holds: boolean) => {
      if (!holds) this.#sayGoodbye(connection)
    }
    const holds = connection.subscription.isKeyValid()
    if (typeof holds === 'boolean') judge(holds)
    else holds.then(judge, this.#parts.onError)
  }

  #drop(connection: StreamConnection): void {
    this.#dropped++
    this.#matcher.remove(connection)
    connection.disconnect()
  }

  #sayGoodbye(connection: StreamConnection): void {
    const { least, most } = RETRY_SPREAD
    this.#matcher.remove(connection)
    connection.end(frameBytes({ retry: Math.round(least + (most - least) * this.#parts.random()) }))
  }

  #forget(connection: StreamConnection): void {
    this.#matcher.remove(connection)
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#whenEmpty()
  }
}
