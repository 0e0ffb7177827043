import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Span } from './otlp.ts'

/** The span that is open, as its children see it. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
}

type SpanDetails = Omit<Span, keyof SpanContext>

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const NO_TRACE = '0'.repeat(32)

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
    return performance.timeOrigin + performance.now()
  }

  /**
   * Begins a trace, or continues the caller's (W3C `traceparent`); undefined if it is not recorded.
   * Chance decides, not the caller's flag: else strangers could have everything recorded.
   */
  begin(traceparent?: string | string[]): SpanContext | undefined {
    if (this.#ratio < 1 && Math.random() >= this.#ratio) return undefined
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
