import pg from 'pg'
import type { Runtime, Timer } from '../../lib/runtime.ts'
import { CHANNEL } from '../queries/dialect.ts'
import type { NotificationTopic } from '../store.ts'
import { limitSession, type Servers, sessionLimits } from './servers.ts'

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

/** Receives notifications on a separate connection; reconnects while there are listeners. */
export class Listeners implements AsyncDisposable {
  readonly #servers: Servers
  readonly #connectTimeout: number
  readonly #runtime: Runtime
  readonly #canListen: boolean
  readonly #listeners = new Set<{ topic: NotificationTopic; call: () => void }>()
  #client: pg.Client | null = null
  #retry: Timer | null = null
  #retryDelay = FIRST_RETRY_MS

  /** If it cannot listen, only `notify` calls the listeners. */
  constructor(servers: Servers, connectTimeout: number, runtime: Runtime, canListen: boolean) {
    this.#servers = servers
    this.#connectTimeout = connectTimeout
    this.#runtime = runtime
    this.#canListen = canListen
  }

  add(topic: NotificationTopic, call: () => void): () => void {
    // Allows adding a function twice.
    const entry = { topic, call }
    this.#listeners.add(entry)
    if (this.#canListen && this.#client === null && this.#retry === null) this.#connect()
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear()
    await this.#stop()
  }

  #connect(): void {
    const url = this.#servers.preferred
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: this.#connectTimeout,
      query_timeout: this.#connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'incident-feed (listening)',
      ...this.#servers.streams,
    })
    this.#client = client
    client.on('notification', ({ payload }) => this.notify(payload))
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    this.#listen(client).catch(() => {
      this.#servers.skip(url)
      this.#lost(client)
    })
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect()
    await this.#servers.check(client)
    // A frozen listener must lose its connection: unread notifications would fill the server's
    // queue.
    await limitSession(client, sessionLimits(), this.#servers)
    await client.query(`LISTEN ${CHANNEL}`)
    this.#retryDelay = FIRST_RETRY_MS
    // Notifications sent while disconnected are lost: call all listeners once.
    for (const { call } of this.#listeners) queueMicrotask(call)
  }

  notify(topic: string | undefined): void {
    for (const listener of this.#listeners) if (listener.topic === topic) queueMicrotask(listener.call)
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    client.end().catch(() => {})
    this.#retry = this.#runtime.setTimeout(() => {
      this.#retry = null
      this.#connect()
    }, this.#retryDelay)
    this.#retryDelay = Math.min(this.#retryDelay * 2, MAX_RETRY_MS)
  }

  async #stop(): Promise<void> {
    this.#runtime.clear(this.#retry)
    this.#retry = null
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }
}
