import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../check.ts'

const PAUSE = 25
/** A reader who waits longer than this would call it broken. */
const LONGEST = 5000

/** Somebody who goes on reading: the list, one incident, statistics, a tile and the map. */
export class Reader implements AsyncDisposable {
  readonly #url: () => string | null
  readonly #key: string
  readonly #stop = new AbortController()
  readonly #reading: Promise<void>
  readonly #failures: string[] = []
  #reads = 0
  #slowest = 0

  /** Resolves after the first incident that can be read. */
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
    this.#reading = this.#read(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#reading
  }

  get promise(): Check {
    const [first] = this.#failures
    return {
      name: 'reads go on',
      passed: this.#failures.length === 0 && this.#reads > 0,
      observed: `${this.#failures.length} of ${this.#reads} failed, the slowest took ${Math.round(this.#slowest)} ms${first ? `; ${first}` : ''}`,
    }
  }

  async #read(id: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Another question each time, so that not all are answered from what was passed of the last.
      const asked = `since=${2000 + (this.#reads % 20)}-01-01`
      const questions = ['/v1/incidents?', '/v1/stats?group_by=state&', '/v1/tiles/6/32/30.mvt?']
      for (const path of questions) await this.#readOne(path + asked)
      for (const path of [`/v1/incidents/${id}`, '/']) await this.#readOne(path)
      await wait(PAUSE)
    }
  }

  async #readOne(path: string): Promise<void> {
    const began = performance.now()
    this.#reads++
    try {
      const headers = { authorization: `Bearer ${this.#key}` }
      const response = await fetch(this.#url() + path, { headers, signal: AbortSignal.timeout(LONGEST) })
      await response.arrayBuffer()
      if (!response.ok) this.#failures.push(`${path}: ${response.status}`)
    } catch (error) {
      this.#failures.push(`${path}: ${error}`)
    }
    this.#slowest = Math.max(this.#slowest, performance.now() - began)
  }
}
