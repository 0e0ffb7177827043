import type { ServerResponse } from 'node:http'
import { WakeableSleep } from '../lib/concurrency.ts'
import type { Runtime, Timer } from '../lib/runtime.ts'
import type { Desk, DeskChange } from '../store/store.ts'
import { frameBytes, STREAM_LIMITS, type StreamLimits } from './stream-connection.ts'

interface DeskStreamDependencies {
  readonly desk: Pick<Desk, 'changedAfter' | 'onChange'>
  /** The data of an event, as JSON. */
  readonly changeJson: (change: DeskChange) => string
  readonly clock: () => number
  readonly runtime: Runtime
  /** Milliseconds to wait for a notification before polling. */
  readonly pollEvery: number
  readonly onError: (error: unknown) => void
}

interface DeskSubscription {
  /** The client gets the changes after this revision. */
  readonly after: number
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

interface DeskConnection {
  readonly response: ServerResponse
  readonly subscription: DeskSubscription
  readonly endsAt: number
  position: number
}

/** Changes read and written in one turn of the event loop. */
const BATCH = 200
const RETRY_MS = 1000

/**
 * The open streams of editors. Each connection has a position in the revisions of the desk; those
 * at the same position share one read. An entry keeps its last revision only, so a client that was
 * away gets the current state of everything that has changed, however long ago it left.
 */
export class DeskStreams implements AsyncDisposable {
  readonly #dependencies: DeskStreamDependencies
  readonly #limits: StreamLimits
  readonly #connections = new Set<DeskConnection>()
  readonly #sleep: WakeableSleep
  readonly #stopListening: () => void
  readonly #heartbeats: Timer
  readonly #finished: Promise<void>

  constructor(dependencies: DeskStreamDependencies, limits: Partial<StreamLimits> = {}) {
    this.#dependencies = dependencies
    this.#limits = { ...STREAM_LIMITS, ...limits }
    this.#sleep = new WakeableSleep(dependencies.pollEvery, dependencies.runtime)
    this.#stopListening = dependencies.desk.onChange(() => this.#sleep.wake())
    this.#heartbeats = dependencies.runtime.setInterval(() => this.#sendHeartbeats(), this.#limits.heartbeatIntervalMs)
    this.#finished = this.#run()
  }

  get open(): number {
    return this.#connections.size
  }

  /** Takes over a response whose headers have been written. */
  addConnection(response: ServerResponse, subscription: DeskSubscription): void {
    const endsAt = this.#dependencies.clock() + this.#limits.maxDurationMs
    const connection = { response, subscription, endsAt, position: subscription.after }
    this.#connections.add(connection)
    response.on('close', () => this.#connections.delete(connection))
    response.write(frameBytes({ retry: RETRY_MS, id: subscription.after }))
    this.#sleep.wake()
  }

  /** Ends the streams opened with these keys. */
  revoke(keyHashes: ReadonlySet<string>): void {
    for (const connection of this.#connections)
      if (keyHashes.has(connection.subscription.keyHash)) connection.response.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dependencies.runtime.clear(this.#heartbeats)
    this.#stopListening()
    for (const { response } of this.#connections) response.end()
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      try {
        await this.#sendChanges()
      } catch (error) {
        this.#dependencies.onError(error)
      }
      await this.#sleep.wait()
    }
  }

  async #sendChanges(): Promise<void> {
    this.#sleep.clearWake()
    let behind = [...this.#connections]
    while (behind.length > 0 && !this.#sleep.stopped) {
      const next: DeskConnection[] = []
      for (const [position, connections] of Map.groupBy(behind, (each) => each.position)) {
        const changes = await this.#dependencies.desk.changedAfter(position, BATCH)
        if (changes.length > 0) this.#write(connections, changes)
        if (changes.length === BATCH) next.push(...connections)
      }
      // A client that does not read must not make this node buffer the whole queue.
      behind = next.filter((each) => this.#connections.has(each))
    }
  }

  #write(connections: readonly DeskConnection[], changes: readonly DeskChange[]): void {
    const { changeJson } = this.#dependencies
    const bytes = Buffer.concat(
      changes.map((change) => frameBytes({ id: change.revision, event: 'desk.changed', data: changeJson(change) })),
    )
    for (const connection of connections) {
      connection.position = changes.at(-1)!.revision
      const { response } = connection
      if (response.writableLength > this.#limits.maxBufferedBytes) response.destroy()
      else if (!response.writableEnded) response.write(bytes)
    }
  }

  #sendHeartbeats(): void {
    const now = this.#dependencies.clock()
    for (const connection of this.#connections) {
      const { response, endsAt, position } = connection
      if (now >= endsAt) response.end()
      else if (response.writableLength > this.#limits.maxBufferedBytes) response.destroy()
      else {
        const data = JSON.stringify({ event: 'heartbeat', revision: position })
        response.write(frameBytes({ id: position, event: 'heartbeat', data }))
        this.#endIfRevoked(connection).catch(this.#dependencies.onError)
      }
    }
  }

  async #endIfRevoked({ response, subscription }: DeskConnection): Promise<void> {
    if (!(await subscription.isKeyValid())) response.end()
  }
}
