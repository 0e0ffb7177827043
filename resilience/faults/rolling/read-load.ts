import { setTimeout as wait } from 'node:timers/promises'

/** A read that takes longer counts as failed. */
const READ_TIMEOUT_MS = 10_000
const MAX_EXAMPLES = 3

export interface ReadFigures {
  readonly reads: number
  readonly failures: number
  readonly examples: readonly string[]
  readonly perSecond: number
  /** Milliseconds. */
  readonly median: number
  readonly p99: number
  readonly slowest: number
}

export interface ReadLoadOptions {
  readonly url: string
  readonly key: string
  /** Reads at the same time. */
  readonly readers: number
  /** The pause of a reader after each read; with it the load is bounded. */
  readonly pauseMs: number
}

/**
 * Reads lists, further pages of them from whichever node answers, statistics, tiles, changes and
 * the page until it is stopped.
 */
export class ReadLoad {
  readonly #options: ReadLoadOptions
  readonly #stop = new AbortController()
  readonly #reading: Promise<unknown>
  readonly #startedAt = performance.now()
  readonly #times: number[] = []
  readonly #failures: string[] = []
  /** Of any reader's last list, by any node. */
  #cursor: string | null = null

  constructor(options: ReadLoadOptions) {
    this.#options = options
    this.#reading = Promise.all(Array.from({ length: options.readers }, (_, reader) => this.#readInLoop(reader)))
  }

  async stop(): Promise<ReadFigures> {
    this.#stop.abort()
    await this.#reading
    const times = this.#times.toSorted((one, other) => one - other)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
    return {
      reads: times.length,
      failures: this.#failures.length,
      examples: this.#failures.slice(0, MAX_EXAMPLES),
      perSecond: times.length / ((performance.now() - this.#startedAt) / 1000),
      median: at(0.5),
      p99: at(0.99),
      slowest: times.at(-1) ?? 0,
    }
  }

  async #readInLoop(reader: number): Promise<void> {
    for (let number = reader; !this.#stop.signal.aborted; number++) {
      // Another filter each time, so that not every answer comes from a cache.
      const since = `since=${2017 + (number % 9)}-0${1 + (number % 9)}-01`
      const paths = [
        `/v1/incidents?${since}&limit=50`,
        '/v1/incidents?limit=50',
        `/v1/incidents?limit=50${this.#cursor === null ? '' : `&cursor=${encodeURIComponent(this.#cursor)}`}`,
        `/v1/stats?group_by=state&${since}`,
        `/v1/tiles/6/${32 + (number % 2)}/30.mvt`,
        '/v1/changes?after=0&limit=10',
        '/',
      ]
      await this.#readOnce(paths[number % paths.length]!)
      await wait(this.#options.pauseMs)
    }
  }

  async #readOnce(path: string): Promise<void> {
    const startedAt = performance.now()
    try {
      const headers = { authorization: `Bearer ${this.#options.key}` }
      const response = await fetch(this.#options.url + path, { headers, signal: AbortSignal.timeout(READ_TIMEOUT_MS) })
      const text = await response.text()
      if (path === '/v1/incidents?limit=50' && response.ok)
        this.#cursor = (JSON.parse(text) as { next_cursor: string | null }).next_cursor
      if (!response.ok) this.#failures.push(`${path}: ${response.status}`)
    } catch (error) {
      this.#failures.push(`${path}: ${error}`)
    }
    this.#times.push(performance.now() - startedAt)
  }
}
