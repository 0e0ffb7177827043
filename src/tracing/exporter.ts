import { type Attributes, type Span, tracesBody } from './otlp.ts'

const FLUSH_INTERVAL_MS = 2_000
const BATCH = 512
/** While the collector is away or slow, further spans are dropped: memory stays bounded. */
const MAX_WAITING = 4 * BATCH
const TIMEOUT_MS = 5_000

export interface ExporterOptions {
  /** The address without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Attributes
  /** Called for a batch that was not taken; `spans` are lost. */
  readonly onError: (error: Error, spans: number) => void
}

/** Sends spans in batches, one request at a time; work never waits for it. */
export class SpanExporter implements AsyncDisposable {
  readonly #options: ExporterOptions
  readonly #timer: NodeJS.Timeout
  #waiting: Span[] = []
  #dropped = 0
  #sending: Promise<void> | null = null

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#flush(), FLUSH_INTERVAL_MS).unref()
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) this.#dropped++
    else if (this.#waiting.push(span) >= BATCH) void this.#flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#flush()
    await this.#flush()
  }

  #flush(): Promise<void> {
    if (this.#sending !== null || this.#waiting.length === 0) return this.#sending ?? Promise.resolve()
    const spans = this.#waiting
    const lost = this.#dropped
    this.#waiting = []
    this.#dropped = 0
    this.#sending = this.#send(spans)
      .then(() => {
        if (lost > 0) this.#options.onError(new Error('the collector is too slow'), lost)
      })
      .catch((error: Error) => this.#options.onError(error, spans.length + lost))
      .finally(() => {
        this.#sending = null
      })
    return this.#sending
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const { endpoint, headers, resource } = this.#options
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: tracesBody(resource, spans),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the collector answered ${response.status}`)
  }
}
