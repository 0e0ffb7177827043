/** A response, and the time until its last byte. */
export interface TimedResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly ms: number
}

export interface RequestOptions {
  readonly method?: string
  readonly body?: unknown
  /** Null sends no key; the default is the key of the client. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The service responded with a status that the load does not expect. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus'
}

const RESPONSE_TIMEOUT_MS = 20_000

/** Sends requests to one service and throws for any status that is not expected. */
export class CheckedClient {
  readonly url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  async request(
    path: string,
    expectedStatuses: readonly number[],
    options: RequestOptions = {},
  ): Promise<TimedResponse> {
    const { method = 'GET', body, key = this.key, headers = {} } = options
    const startedAt = performance.now()
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
    const text = await response.text()
    if (!expectedStatuses.includes(response.status))
      throw new UnexpectedStatus(`${method} ${path} got status ${response.status}: ${text.slice(0, 300)}`)
    return { status: response.status, headers: response.headers, body: text, ms: performance.now() - startedAt }
  }
}
