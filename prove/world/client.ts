import { setTimeout as wait } from 'node:timers/promises'

export interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Nobody listens, the connection broke, or the service is not ready: whether the request was done is not known. */
export class NoReply extends Error {
  override readonly name = 'NoReply'
}

const PAUSE = 50
const PATIENCE = 60_000

/** Talks to whichever process is up. */
export class Client {
  readonly #key: string
  readonly #url: () => string | null
  readonly #note: (response: Response) => void

  constructor(key: string, url: () => string | null, note: (response: Response) => void = () => {}) {
    this.#key = key
    this.#url = url
    this.#note = note
  }

  async once(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const url = this.#url()
    if (url === null) throw new NoReply('the service is starting')
    const authorization = `Bearer ${this.#key}`
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      this.#note(response)
      const reply = { status: response.status, body: (await response.json()) as Record<string, unknown> }
      if (response.status === 503) throw new NoReply(JSON.stringify(reply.body))
      return reply
    } catch (error) {
      throw error instanceof NoReply ? error : new NoReply(`${method} ${path}`, { cause: error })
    }
  }

  /** Asks until somebody answers: for what may be done twice. */
  async insist(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const deadline = performance.now() + PATIENCE
    for (;;) {
      try {
        return await this.once(method, path, body, headers)
      } catch (error) {
        if (!(error instanceof NoReply) || performance.now() > deadline) throw error
        await wait(PAUSE)
      }
    }
  }
}
