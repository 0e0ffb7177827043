import { AsyncLocalStorage } from 'node:async_hooks'
import { machine, random, randomBytes, type Timer } from '../lib/runtime.ts'

interface TracingSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null
  readonly OTEL_SERVICE_NAME: string
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer
}

/** Null without an endpoint: then nothing is traced, and nothing costs. */
export function startTracing(
  settings: TracingSettings,
  resource: Attributes,
  onError: (error: Error, spans: number) => void,
): Tracing | null {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === null) return null
  const exporter = new SpanExporter({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    resource: { 'service.name': settings.OTEL_SERVICE_NAME, ...resource },
    onError,
  })
  const tracer = new Tracer((span) => exporter.add(span), settings.OTEL_TRACES_SAMPLER_ARG)
  return { tracer, [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose]() }
}

/** The span that is open, as its children see it. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
}

type SpanDetails = Omit<Span, keyof SpanContext>

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const NO_TRACE = '0'.repeat(32)
/** The time at which the monotonic clock stood at 0. */
const STARTED_AT = machine.wallClock() - machine.elapsed()

/** Makes spans, and knows the current one through asynchronous calls. */
export class Tracer {
  readonly #current = new AsyncLocalStorage<SpanContext>()
  readonly #add: (span: Span) => void
  readonly #ratio: number

  /** `ratio`: the share of traces that are recorded. */
  constructor(add: (span: Span) => void, ratio: number) {
    this.#add = add
    this.#ratio = ratio
  }

  get current(): SpanContext | undefined {
    return this.#current.getStore()
  }

  now(): number {
    return STARTED_AT + machine.elapsed()
  }

  /**
   * Begins a trace, or continues the caller's (W3C `traceparent`); undefined if it is not recorded.
   * Chance decides, not the caller's flag: else strangers could have everything recorded.
   */
  begin(traceparent?: string | string[]): SpanContext | undefined {
    if (this.#ratio < 1 && random() >= this.#ratio) return undefined
    const [, traceId, parent] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || []
    if (traceId === undefined || traceId === NO_TRACE) return newSpan(hex(16), null)
    return newSpan(traceId, parent!)
  }

  child(parent: SpanContext): SpanContext {
    return newSpan(parent.traceId, parent.spanId)
  }

  run<Result>(context: SpanContext, work: () => Result): Result {
    return this.#current.run(context, work)
  }

  end(context: SpanContext, details: SpanDetails): void {
    this.#add({ ...context, ...details })
  }
}

function newSpan(traceId: string, parentSpanId: string | null): SpanContext {
  return { traceId, spanId: hex(8), parentSpanId }
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

const FLUSH_INTERVAL_MS = 2_000
const BATCH = 512
/** While the collector is away or slow, further spans are dropped: memory stays bounded. */
const MAX_WAITING = 4 * BATCH
const TIMEOUT_MS = 5_000

interface ExporterOptions {
  /** The address without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Attributes
  /** Called for a batch that was not taken; `spans` are lost. */
  readonly onError: (error: Error, spans: number) => void
}

/** Sends spans in batches, one request at a time; work never waits for it. */
class SpanExporter implements AsyncDisposable {
  readonly #options: ExporterOptions
  readonly #timer: Timer
  #waiting: Span[] = []
  #dropped = 0
  #sending: Promise<void> | null = null

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = machine.setInterval(() => void this.#flush(), FLUSH_INTERVAL_MS)
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) this.#dropped++
    else if (this.#waiting.push(span) >= BATCH) void this.#flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    machine.clear(this.#timer)
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

type Attributes = Readonly<Record<string, string | number | boolean>>

/** As OpenTelemetry numbers them. */
const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const

/** One piece of work. Times are milliseconds since 1970, with fractions. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: keyof typeof SPAN_KINDS
  readonly startedAt: number
  readonly endedAt: number
  readonly failed: boolean
  readonly attributes: Attributes
}

/** The body of a request to `/v1/traces` (OTLP 1.x, JSON). */
function tracesBody(resource: Attributes, spans: readonly Span[]): string {
  const scopeSpans = [{ scope: { name: 'incident-feed' }, spans: spans.map(spanJson) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributeList(resource) }, scopeSpans }] })
}

function spanJson({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, failed, attributes }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributeList(attributes),
    status: failed ? { code: 2 } : {},
  }
}

/** A number of this size loses its last digits in JSON, so it is text. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.round(milliseconds * 1000)) * 1000n).toString()
}

function attributeList(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: attributeValue(value) }))
}

function attributeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
