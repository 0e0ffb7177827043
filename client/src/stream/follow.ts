import { NetworkError, ProblemError } from '../errors/errors.ts'
import { startDeadline } from '../http/deadline.ts'
import { backOffMs, MAX_RETRY_AFTER_SECONDS } from '../http/retry.ts'
import { sleep } from '../http/sleep.ts'
import { asNetworkError, type Transport } from '../http/transport.ts'
import { EventParser, type ServerSentEvent } from './event-parser.ts'

/** Heartbeats come every 15 seconds: without any for so long, the connection is dead. */
const SILENCE_MS = 45_000
const DEFAULT_RETRY_MS = 3_000
const MAX_RETRY_MS = 30_000

/** The end of a connection. */
export type ConnectionState =
  | { readonly state: 'connected'; readonly position: string | null }
  | { readonly state: 'disconnected'; readonly error: Error | null; readonly reconnectInMs: number }

/** Settings of a stream. */
export interface StreamOptions {
  /** Ends the stream: the loop over it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Is called whenever the connection is made or lost. */
  readonly onState?: ((state: ConnectionState) => void) | undefined
  /**
   * The wait before the first reconnection, in milliseconds. Default: what the service asks for, 3
   * seconds.
   */
  readonly reconnectMs?: number | undefined
  /**
   * Without a sign of life for so long, in milliseconds, the client reconnects. Default: 45,000.
   */
  readonly silenceMs?: number | undefined
}

/**
 * Reads the events of an address without end, heartbeats included, and reconnects with the position
 * of the last one. Throws if the service refuses for good.
 */
export async function* followEvents(
  transport: Transport,
  path: string,
  query: object,
  position: string | null,
  options: StreamOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let last = position
  let retryMs = options.reconnectMs ?? null
  for (let failures = 1; ; failures++) {
    let error: Error | null = null
    try {
      for await (const batch of connection(transport, path, query, last, options)) {
        failures = 0
        retryMs = options.reconnectMs ?? batch.retryMs ?? retryMs
        for (const event of batch.events) {
          // Before it is given out: whoever reads it has it. A bare position only tells where a new
          // stream begins: before a `reset` it lies beyond what was missed.
          if (event.event !== '' || last === null) last = event.id ?? last
          yield event
        }
      }
    } catch (thrown) {
      options.signal?.throwIfAborted()
      error = temporary(thrown)
    }
    const wait = waitMs(error, failures, retryMs ?? DEFAULT_RETRY_MS)
    options.onState?.({ state: 'disconnected', error, reconnectInMs: wait })
    await sleep(wait, options.signal)
  }
}

interface Batch {
  readonly events: readonly ServerSentEvent[]
  readonly retryMs: number | null
}

async function* connection(
  transport: Transport,
  path: string,
  query: object,
  position: string | null,
  { signal, silenceMs = SILENCE_MS, onState }: StreamOptions,
): AsyncGenerator<Batch> {
  signal?.throwIfAborted()
  const deadline = startDeadline(silenceMs, signal)
  const headers = { accept: 'text/event-stream', ...(position === null ? {} : { 'last-event-id': position }) }
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  try {
    const response = await transport.open(path, { query, headers }, deadline.signal)
    onState?.({ state: 'connected', position })
    reader = response.body!.getReader()
    const decoder = new TextDecoder()
    const parser = new EventParser()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      deadline.extend()
      const events = parser.push(decoder.decode(next.value, { stream: true }))
      yield { events, retryMs: parser.retryMs }
    }
  } catch (error) {
    if (deadline.passed) throw new NetworkError(`the stream was silent for ${silenceMs} ms`)
    throw error instanceof ProblemError ? error : asNetworkError(`GET ${path}`, error)
  } finally {
    deadline.end()
    await reader?.cancel().catch(ignoreCut)
  }
}

/** Cancelling a connection that is cut already fails with the cut. */
function ignoreCut(): void {}

/** Returns what a reconnection may cure, and throws what it cannot. */
function temporary(error: unknown): Error {
  if (error instanceof ProblemError && error.status < 500 && error.status !== 429 && error.status !== 408) throw error
  return error as Error
}

function waitMs(error: Error | null, failures: number, retryMs: number): number {
  const asked = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  const backOff = backOffMs(Math.max(1, failures), retryMs, Math.max(retryMs, MAX_RETRY_MS), Math.random)
  return Math.max(backOff, Math.min(asked, MAX_RETRY_AFTER_SECONDS * 1000))
}
