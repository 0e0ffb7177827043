import type { ServerResponse } from 'node:http'
import { WakeableSleep } from '../lib/concurrency.ts'
import { type Runtime, sleep, type Timer } from '../lib/runtime.ts'
import type { ListeningHeads, ListeningPosition } from '../store/store.ts'
import { frameBytes, STREAM_LIMITS, StreamConnection, type StreamLimits } from './stream-connection.ts'

/** Reads the messages for listeners; they are opaque here. */
interface MessageFeed<Listener> {
  heads(): Promise<ListeningHeads>
  end(listener: Listener, heads: ListeningHeads): ListeningPosition
  read(
    listener: Listener,
    from: ListeningPosition,
    heads: ListeningHeads,
  ): Promise<{
    readonly messages: readonly { readonly position: ListeningPosition; readonly data: string }[]
    readonly position: ListeningPosition
    readonly ended: boolean
  }>
}

interface ListeningDependencies<Listener> {
  readonly feed: MessageFeed<Listener>
  /** The last fork of the log, which positions name; empty if there was none. */
  readonly fork: () => string
  /** Calls the function when events are appended or messages resent; unreliable. */
  readonly onChange: (wake: () => void) => () => void
  readonly clock: () => number
  readonly runtime: Runtime
  readonly pollIntervalMs: number
  readonly onError: (error: unknown) => void
}

interface ListeningSubscription<Listener> {
  readonly listener: Listener
  /** The client's position; null to begin now. */
  readonly after: ListeningPosition | null
  /** Whether the log has gone on elsewhere, before that position. */
  readonly isLost: boolean
  /** The members of the first event. */
  readonly greeting: object
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

type Connection<Listener> = StreamConnection<ListeningSubscription<Listener>>

const RETRY_MS = 1000
/** Deliveries are written moments after their event: until then the heads are read this often. */
const CATCH_UP_MS = 20
/** After this many of them the interval is the ordinary one: the fan-out is far behind. */
const CATCH_UPS = 100
/** Each listener reads for itself, unlike a stream: this many are open on a node at most. */
const MAX_LISTENERS = 200

/**
 * The open connections of clients that listen to messages. One loop follows the heads of what can
 * be told; each connection reads on from its own position, at the pace of its client.
 */
export class ListeningStreams<Listener> implements AsyncDisposable {
  readonly #dependencies: ListeningDependencies<Listener>
  readonly #limits: StreamLimits
  readonly #connections = new Map<Connection<Listener>, { position: ListeningPosition; sleep: WakeableSleep }>()
  readonly #sleep: WakeableSleep
  readonly #stopListening: () => void
  readonly #heartbeats: Timer
  readonly #running = new Set<Promise<void>>()
  #heads: ListeningHeads = { logged: 0, written: 0, resent: 0 }
  #opened = 0

  constructor(dependencies: ListeningDependencies<Listener>, limits: Partial<StreamLimits> = {}) {
    this.#dependencies = dependencies
    this.#limits = { ...STREAM_LIMITS, ...limits }
    this.#sleep = new WakeableSleep(dependencies.pollIntervalMs, dependencies.runtime)
    this.#stopListening = dependencies.onChange(() => this.#sleep.wake())
    this.#heartbeats = dependencies.runtime.setInterval(() => this.#sendHeartbeats(), this.#limits.heartbeatIntervalMs)
    this.#track(this.#followHeads())
  }

  get open(): number {
    return this.#connections.size
  }

  get isFull(): boolean {
    return this.#connections.size >= MAX_LISTENERS
  }

  /** Takes over a response whose headers have been written. */
  addConnection(response: ServerResponse, subscription: ListeningSubscription<Listener>): void {
    const endsAt = this.#dependencies.clock() + this.#limits.maxDurationMs
    const connection = new StreamConnection(response, subscription, {
      after: subscription.after?.seq ?? 0,
      endsAt,
      heartbeatGroup: this.#opened++,
    })
    const sleep = new WakeableSleep(this.#limits.heartbeatIntervalMs, this.#dependencies.runtime)
    this.#connections.set(connection, { position: { seq: 0, resent: 0 }, sleep })
    response.on('close', () => {
      this.#connections.delete(connection)
      sleep.stop()
    })
    this.#track(this.#serve(connection, sleep))
  }

  /** Ends the streams opened with these keys. */
  revoke(keyHashes: ReadonlySet<string>): void {
    for (const connection of this.#connections.keys())
      if (keyHashes.has(connection.subscription.keyHash)) connection.end(frameBytes({ retry: RETRY_MS }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dependencies.runtime.clear(this.#heartbeats)
    this.#stopListening()
    this.#sleep.stop()
    for (const [connection, { sleep }] of this.#connections) {
      connection.end(frameBytes({ retry: RETRY_MS }))
      sleep.stop()
    }
    await Promise.all(this.#running)
  }

  #track(work: Promise<void>): void {
    const done = work.catch(this.#dependencies.onError).finally(() => this.#running.delete(done))
    this.#running.add(done)
  }

  async #followHeads(): Promise<void> {
    let catchUps = 0
    while (!this.#sleep.stopped) {
      this.#sleep.clearWake()
      if (this.#connections.size > 0) await this.#readHeads()
      const isBehind = this.#connections.size > 0 && this.#heads.written < this.#heads.logged
      catchUps = isBehind ? catchUps + 1 : 0
      if (isBehind && catchUps <= CATCH_UPS) await sleep(this.#dependencies.runtime, CATCH_UP_MS)
      else await this.#sleep.wait()
    }
  }

  async #readHeads(): Promise<void> {
    try {
      const before = this.#heads
      const heads = await this.#dependencies.feed.heads()
      this.#heads = heads
      if (heads.logged === before.logged && heads.written === before.written && heads.resent === before.resent) return
      for (const { sleep } of this.#connections.values()) sleep.wake()
    } catch (error) {
      this.#dependencies.onError(error)
    }
  }

  /** After an error the client reconnects with its position. */
  async #serve(connection: Connection<Listener>, sleep: WakeableSleep): Promise<void> {
    try {
      await this.#begin(connection)
      while (connection.isOpen && !this.#sleep.stopped) {
        sleep.clearWake()
        if (await this.#sendNext(connection)) continue
        await sleep.wait()
      }
    } catch (error) {
      this.#dependencies.onError(error)
      connection.end(frameBytes({ retry: RETRY_MS }))
    }
  }

  async #begin(connection: Connection<Listener>): Promise<void> {
    const { feed } = this.#dependencies
    const { listener, after, greeting } = connection.subscription
    const heads = await feed.heads()
    // The loop has not read them for as long as nobody listened.
    this.#sleep.wake()
    const end = feed.end(listener, heads)
    // A position beyond the end was issued by a database that has since been put back.
    const isLost =
      after !== null && (connection.subscription.isLost || after.seq > heads.logged || after.resent > heads.resent)
    const isTooOld = after !== null && end.seq - after.seq > this.#limits.maxReplayedEvents
    const position = after === null || isLost || isTooOld ? end : after
    this.#move(connection, position)
    const id = this.#idOf(position)
    const data = JSON.stringify({ event: 'listening', ...greeting })
    connection.write(frameBytes({ retry: RETRY_MS, id, event: 'listening', data }))
    if (!isLost && !isTooOld) return
    const detail = `Position ${this.#idOf(after!)} ${isLost ? 'is not known here' : 'lies too far back'}: what was sent between it and ${id} is left out.`
    const reset = JSON.stringify({ event: 'reset', position: id, detail })
    connection.write(frameBytes({ id, event: 'reset', data: reset }))
  }

  /** Returns whether more can be sent at once. */
  async #sendNext(connection: Connection<Listener>): Promise<boolean> {
    const { feed } = this.#dependencies
    const { listener } = connection.subscription
    const { position } = this.#connections.get(connection) ?? {}
    if (position === undefined || !isBefore(position, feed.end(listener, this.#heads))) return false
    const batch = await feed.read(listener, position, this.#heads)
    for (const message of batch.messages) {
      connection.write(frameBytes({ id: this.#idOf(message.position), event: 'message', data: message.data }))
      this.#move(connection, message.position)
      await connection.waitForDrain()
    }
    this.#move(connection, batch.position)
    if (batch.ended) connection.end(frameBytes({ event: 'ended', data: JSON.stringify({ event: 'ended' }) }))
    return !batch.ended
  }

  /** A position as the `id` of an event. */
  #idOf({ seq, resent }: ListeningPosition): string {
    const fork = this.#dependencies.fork()
    return `${seq}-${resent}${fork === '' ? '' : `.${fork}`}`
  }

  #move(connection: Connection<Listener>, position: ListeningPosition): void {
    const state = this.#connections.get(connection)
    if (state !== undefined) state.position = position
  }

  #sendHeartbeats(): void {
    const now = this.#dependencies.clock()
    for (const [connection, { position }] of this.#connections) {
      if (now >= connection.endsAt) connection.end(frameBytes({ retry: RETRY_MS }))
      else if (connection.stillStalled()) connection.disconnect()
      else {
        const id = this.#idOf(position)
        const data = JSON.stringify({ event: 'heartbeat', position: id })
        connection.write(frameBytes({ id, event: 'heartbeat', data }))
        this.#track(this.#endIfRevoked(connection))
      }
    }
  }

  async #endIfRevoked(connection: Connection<Listener>): Promise<void> {
    if (!(await connection.subscription.isKeyValid())) connection.end(frameBytes({ retry: RETRY_MS }))
  }
}

function isBefore(position: ListeningPosition, end: ListeningPosition): boolean {
  return position.seq < end.seq || position.resent < end.resent
}

/** Null if this service has not written the text. */
export function parsePositionText(text: string): (ListeningPosition & { readonly fork: string }) | null {
  const [, seq, resent, fork = ''] = /^(\d{1,15})-(\d{1,15})(?:\.([\w-]{6}))?$/.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), resent: Number(resent), fork }
}
