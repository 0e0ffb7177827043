import { NetworkError, PositionLostError, ProblemError, TimeoutError } from '../errors/errors.ts'
import type { Problem } from '../generated/types.ts'
import type { CallOptions, IncidentFeedOptions, WriteOptions } from '../options.ts'
import { startDeadline } from './deadline.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { type QueryValue, queryString } from './query-string.ts'
import { delayBeforeRetry, type FailedAttempt, retryAfterSeconds } from './retry.ts'
import { sleep } from './sleep.ts'

/** The methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The parts of a request besides its method and path. */
export interface RequestParts {
  /** The parameters of the query string; lists are written with commas. */
  readonly query?: Readonly<Record<string, QueryValue>> | object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Headers of this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Set for a POST that only reads: it may be repeated, and takes no idempotency key. */
  readonly readsOnly?: boolean | undefined
}

/** Sends one request for a resource, and returns the parsed body. */
export type Send = <Answer>(
  method: Method,
  path: string,
  parts?: RequestParts,
  options?: WriteOptions | undefined,
) => Promise<Answer>

/** Sends requests: headers, time limits, retries and errors. */
export class Transport {
  readonly #fetch: typeof globalThis.fetch
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #maxRetries: number
  readonly #timeoutMs: number

  constructor({ key, baseUrl, headers = {}, maxRetries = 3, timeoutMs = 30_000, fetch }: IncidentFeedOptions) {
    // A `fetch` that is called as a method of something else throws in browsers.
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request))
    this.#base = String(new URL(baseUrl)).replace(/\/+$/, '')
    this.#headers = { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers }
    this.#maxRetries = maxRetries
    this.#timeoutMs = timeoutMs
  }

  readonly send: Send = async <Answer>(
    method: Method,
    path: string,
    parts: RequestParts = {},
    options: WriteOptions = {},
  ): Promise<Answer> => {
    const writes = method === 'POST' && !parts.readsOnly
    const headers = {
      accept: 'application/json',
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(writes ? { 'idempotency-key': options.idempotencyKey ?? newIdempotencyKey() } : {}),
      ...parts.headers,
    }
    // A PATCH that was answered by silence may have been overtaken by another one since.
    const repeatable = method !== 'PATCH'
    for (let attempts = 1; ; attempts++) {
      try {
        return (await this.#attempt(method, path, { ...parts, headers }, options)) as Answer
      } catch (error) {
        // The attempt before, whose answer was lost, has deleted it.
        if (method === 'DELETE' && attempts > 1 && isGone(error)) return undefined as Answer
        const failed = failureOf(error)
        const spent = attempts > (options.maxRetries ?? this.#maxRetries)
        const delay = failed === null || spent ? null : delayBeforeRetry(failed, attempts, repeatable, Math.random)
        if (delay === null) throw error
        await sleep(delay, options.signal)
      }
    }
  }

  /** Opens an answer that is read bit by bit; `signal` ends it at any time. Never retried. */
  async open(path: string, parts: RequestParts, signal: AbortSignal): Promise<Response> {
    const response = await this.#request('GET', path, parts, signal)
    if (!response.ok) throw await problemIn(`GET ${path}`, response)
    return response
  }

  async #attempt(method: Method, path: string, parts: RequestParts, options: CallOptions): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs
    const deadline = startDeadline(timeoutMs, options.signal)
    try {
      const response = await this.#request(method, path, parts, deadline.signal)
      if (!response.ok) throw await problemIn(`${method} ${path}`, response)
      const text = await response.text()
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      if (error instanceof ProblemError) throw error
      options.signal?.throwIfAborted()
      if (deadline.passed) throw new TimeoutError(`${method} ${path}`, timeoutMs)
      throw asNetworkError(`${method} ${path}`, error)
    } finally {
      deadline.end()
    }
  }

  #request(method: Method, path: string, { query = {}, body, headers }: RequestParts, signal: AbortSignal) {
    const url = this.#base + path + queryString(query as Readonly<Record<string, QueryValue>>)
    return this.#fetch(url, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
  }
}

/** Errors of `fetch` differ from runtime to runtime; none is one of ours. */
export function asNetworkError(request: string, error: unknown): NetworkError {
  const cause = error instanceof Error ? error.cause : undefined
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(error)
  return new NetworkError(`${request} failed: ${reason}`, { cause: error })
}

async function problemIn(request: string, response: Response): Promise<ProblemError> {
  const text = await response.text()
  const wait = retryAfterSeconds(response.headers.get('retry-after'), Date.now())
  const body = parsed(text)
  const { code, resume_after } = (body ?? {}) as Partial<Problem>
  // Without a position, it is of a list that was begun before the loss.
  const ErrorClass = code === 'position_lost' && resume_after !== undefined ? PositionLostError : ProblemError
  return new ErrorClass(request, response, body, wait)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function failureOf(error: unknown): FailedAttempt | null {
  if (error instanceof ProblemError) return error
  const noAnswer = error instanceof NetworkError || error instanceof TimeoutError
  return noAnswer ? { status: null, code: null, retryAfterSeconds: null } : null
}

function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404
}
