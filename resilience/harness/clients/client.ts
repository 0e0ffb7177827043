import { setTimeout as wait } from 'node:timers/promises'

export interface Reply {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: Record<string, unknown>
}

/** Nobody listens, the connection broke, or the service is not ready: whether the request was done is not known. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

const PAUSE = 50
const PATIENCE = 60_000

/** Talks to whichever process is up. */
export class Client {
  readonly key: string
  readonly #url: () => string | null
  readonly #note: (response: Response) => void

  constructor(key: string, url: () => string | null, note: (response: Response) => void = () => {}) {
    this.key = key
    this.#url = url
    this.#note = note
  }

  /** The same caller, of another service. */
  at(url: () => string | null): Client {
    return new Client(this.key, url)
  }

  /** Whatever is answered, 503 too. */
  async requestOnce(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const url = this.#url()
    if (url === null) throw new NoResponse('the service is starting')
    const authorization = `Bearer ${this.key}`
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      this.#note(response)
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, retryAfter, body: (await response.json()) as Record<string, unknown> }
    } catch (error) {
      throw new NoResponse(`${method} ${path}`, { cause: error })
    }
  }

  async requestWhenReady(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const reply = await this.requestOnce(method, path, body, headers)
    if (reply.status === 503) throw new NoResponse(JSON.stringify(reply.body))
    return reply
  }

  /** Asks until somebody answers: for what may be done twice. */
  async requestUntilAnswered(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const deadline = performance.now() + PATIENCE
    for (;;) {
      try {
        return await this.requestWhenReady(method, path, body, headers)
      } catch (error) {
        if (!(error instanceof NoResponse) || performance.now() > deadline) throw error
        await wait(PAUSE)
      }
    }
  }
}
