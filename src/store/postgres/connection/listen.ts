import pg from 'pg'
import type { Topic } from '../../topic.ts'
import type { Servers } from './servers.ts'

/** A notification's payload is its topic. */
export const CHANNEL = 'incident_feed'

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5_000

/** Hears of what any node has done, on a connection of its own that it renews for as long as anybody listens. */
export class Listeners implements AsyncDisposable {
  readonly #servers: Servers
  readonly #connectTimeout: number
  readonly #listeners = new Set<{ topic: Topic; call: () => void }>()
  #client: pg.Client | null = null
  #retry: NodeJS.Timeout | null = null
  #pause = FIRST_PAUSE

  constructor(servers: Servers, connectTimeout: number) {
    this.#servers = servers
    this.#connectTimeout = connectTimeout
  }

  add(topic: Topic, call: () => void): () => void {
    // An entry of its own, so that one function added twice is called twice and stopped once at a time.
    const entry = { topic, call }
    this.#listeners.add(entry)
    if (this.#client === null && this.#retry === null) this.#connect()
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
    const url = this.#servers.likely
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: this.#connectTimeout,
      query_timeout: this.#connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'incident-feed (listening)',
    })
    this.#client = client
    client.on('notification', ({ payload }) => this.#wake(payload))
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    this.#listen(client).catch(() => {
      this.#servers.passOver(url)
      this.#lost(client)
    })
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect()
    await this.#servers.check(client)
    await client.query(`LISTEN ${CHANNEL}`)
    this.#pause = FIRST_PAUSE
    // What happened while nobody listened has sent its only notification.
    for (const { call } of this.#listeners) queueMicrotask(call)
  }

  #wake(topic: string | undefined): void {
    for (const listener of this.#listeners) if (listener.topic === topic) queueMicrotask(listener.call)
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    client.end().catch(() => {})
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.#connect()
    }, this.#pause).unref()
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
  }

  async #stop(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }
}
