import { setTimeout as wait } from 'node:timers/promises'

export interface ApiResponse {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: Record<string, unknown>
}

/**
 * No service listens, the connection broke or the status was 503; the request may have been carried
 * out.
 */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

const RETRY_INTERVAL_MS = 50
/** A busy machine takes a while to start a service. */
const RETRY_TIMEOUT_MS = 120_000

/** Sends JSON requests with one key to whichever process is running. */
export class Client {
  readonly key: string
  readonly #url: () => string | null
  readonly #onResponse: (response: Response) => void
  readonly #timeoutMs: number | null

  /**
   * A request without a response is given up after `timeoutMs`; null to wait as long as it takes.
   */
  constructor(
    key: string,
    url: () => string | null,
    onResponse: (response: Response) => void = () => {},
    timeoutMs: number | null = null,
  ) {
    this.#timeoutMs = timeoutMs
    this.key = key
    this.#url = url
    this.#onResponse = onResponse
  }

  /** Returns a client with the same key for another service. */
  withUrl(url: () => string | null): Client {
    return new Client(this.key, url, undefined, this.#timeoutMs)
  }

  /** Sends a request once and returns any response, 503 included. */
  async requestOnce(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const url = this.#url()
    if (url === null) throw new NoResponse('the service is starting')
    const authorization = `Bearer ${this.key}`
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(this.#timeoutMs === null ? {} : { signal: AbortSignal.timeout(this.#timeoutMs) }),
      })
      this.#onResponse(response)
      const retryAfter = response.headers.get('retry-after')
      // A 204 has no body.
      const text = await response.text()
      return { status: response.status, retryAfter, body: JSON.parse(text || '{}') as Record<string, unknown> }
    } catch (error) {
      throw new NoResponse(`${method} ${path}`, { cause: error })
    }
  }

  /** Sends a request once; throws `NoResponse` for status 503. */
  async requestWhenReady(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const response = await this.requestOnce(method, path, body, headers)
    if (response.status === 503) throw new NoResponse(JSON.stringify(response.body))
    return response
  }

  /**
   * Retries until there is a response other than 503; only for requests that may be carried out
   * twice.
   */
  async requestUntilAnswered(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const deadline = performance.now() + RETRY_TIMEOUT_MS
    for (;;) {
      try {
        return await this.requestWhenReady(method, path, body, headers)
      } catch (error) {
        if (!(error instanceof NoResponse) || performance.now() > deadline) throw error
        await wait(RETRY_INTERVAL_MS)
      }
    }
  }
}
