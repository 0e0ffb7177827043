import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../check.ts'

const PAUSE_MS = 25
/** A read that takes longer counts as failed. */
const READ_TIMEOUT_MS = 5000

/** Reads the list, one incident, statistics, a tile and the map page in a loop. */
export class Reader implements AsyncDisposable {
  readonly #url: () => string | null
  readonly #key: string
  readonly #stop = new AbortController()
  readonly #reading: Promise<void>
  readonly #failures: string[] = []
  #reads = 0
  #slowestMs = 0

  /** Waits for the first incident, then starts reading. */
  static async start(key: string, url: () => string | null): Promise<Reader> {
    let id: string | undefined
    await until(async () => {
      const response = await fetch(`${url()}/v1/incidents?limit=1`, { headers: { authorization: `Bearer ${key}` } })
      id = ((await response.json()) as { data: { id: string }[] }).data[0]?.id
      return id !== undefined
    }, 'an incident to read')
    return new Reader(key, url, id!)
  }

  private constructor(key: string, url: () => string | null, id: string) {
    this.#key = key
    this.#url = url
    this.#reading = this.#readInLoop(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#reading
  }

  get check(): Check {
    const [first] = this.#failures
    return {
      name: 'reads continue',
      passed: this.#failures.length === 0 && this.#reads > 0,
      observed: `${this.#failures.length} of ${this.#reads} failed, the slowest took ${Math.round(this.#slowestMs)} ms${first ? `; ${first}` : ''}`,
    }
  }

  async #readInLoop(id: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Another filter each time, so that not every response comes from a cache.
      const filter = `since=${2000 + (this.#reads % 20)}-01-01`
      const filtered = ['/v1/incidents?', '/v1/stats?group_by=state&', '/v1/tiles/6/32/30.mvt?']
      for (const path of filtered) await this.#readOnce(path + filter)
      for (const path of [`/v1/incidents/${id}`, '/']) await this.#readOnce(path)
      await wait(PAUSE_MS)
    }
  }

  async #readOnce(path: string): Promise<void> {
    const startedAt = performance.now()
    this.#reads++
    try {
      const headers = { authorization: `Bearer ${this.#key}` }
      const response = await fetch(this.#url() + path, { headers, signal: AbortSignal.timeout(READ_TIMEOUT_MS) })
      await response.arrayBuffer()
      // The incident may be retracted meanwhile.
      if (!response.ok && response.status !== 410) this.#failures.push(`${path}: ${response.status}`)
    } catch (error) {
      this.#failures.push(`${path}: ${error}`)
    }
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt)
  }
}
