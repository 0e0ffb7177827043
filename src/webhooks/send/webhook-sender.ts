import type { SendResult } from '../../domain/delivery/send-result.ts'
import { VERSION } from '../../version.ts'
import { guardedConnector } from '../guard/connector.ts'
import type { Guard } from '../guard/guard.ts'
import { ConnectionPool, closeNow, type PooledConnection } from './connection-pool.ts'
import { Exchange, type ExchangeResult } from './exchange.ts'
import { urlPartsOf } from './url-parts.ts'

export interface WebhookRequest {
  readonly url: string
  /** Beside those that every POST has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface WebhookSenderOptions {
  readonly guard: Guard
  /** For the whole exchange: name, connection, TLS, headers, body. */
  readonly limitMs?: number
  /** Certificates to trust instead of the system's. */
  readonly ca?: string
  /** How many connections are kept open for the next time. */
  readonly mostIdle?: number
  /** How long closing waits for what is under way. */
  readonly closeWithinMs?: number
}

const HEADERS = { 'content-type': 'application/json', 'user-agent': `incident-feed/${VERSION}` }
const MOST_HEADER_BYTES = 16 * 1024
/** Short, so that a name that has moved is followed soon. */
const KEEP_ALIVE = { keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 }

/** Sends POSTs over connections kept alive. No redirect is followed, no proxy used, nothing tried twice. */
export class WebhookSender implements AsyncDisposable {
  readonly #connections: ConnectionPool
  readonly #limitMs: number
  readonly #closeWithin: number
  readonly #protocols: readonly string[]
  readonly #underWay = new Set<Promise<ExchangeResult>>()
  readonly #busy = new Set<PooledConnection>()

  constructor({ guard, limitMs = 15_000, ca, mostIdle = 1000, closeWithinMs = 2000 }: WebhookSenderOptions) {
    this.#limitMs = limitMs
    this.#closeWithin = closeWithinMs
    this.#protocols = guard.allowPrivate ? ['https:', 'http:'] : ['https:']
    const connect = guardedConnector(guard, { timeout: limitMs, ...(ca === undefined ? {} : { ca }) })
    // The one limit over everything is kept by the exchange: undici's own would only be others beside it.
    const limits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MOST_HEADER_BYTES }
    this.#connections = new ConnectionPool({ connect, ...limits, ...KEEP_ALIVE }, mostIdle)
  }

  /** One attempt. It never rejects: whatever goes wrong is what the attempt has to tell. */
  async post(post: WebhookRequest): Promise<SendResult> {
    const startedAt = Date.now()
    const started = performance.now()
    const exchange = this.#exchange(post)
    this.#underWay.add(exchange)
    const ended = await exchange
    this.#underWay.delete(exchange)
    const durationMs = Math.round(performance.now() - started)
    return { startedAt, durationMs, status: null, failure: null, answer: '', retryAfter: null, ...ended }
  }

  async #exchange({ url, headers, body }: WebhookRequest): Promise<ExchangeResult> {
    const target = urlPartsOf(url)
    // A watch made while http was allowed may outlive the setting.
    if (!target || !this.#protocols.includes(target.protocol))
      return { failure: 'failed', message: `The URL does not begin with ${this.#protocols.join('// or ')}//.` }
    const connection = this.#connections.acquire(target.origin)
    this.#busy.add(connection)
    const request = { method: 'POST', path: target.path, headers: { ...HEADERS, ...headers }, body } as const
    const { ended, reusable } = await new Promise<{ ended: ExchangeResult; reusable: boolean }>((settle) => {
      const exchange = new Exchange((ended, reusable) => settle({ ended, reusable }), this.#limitMs)
      connection.client.dispatch(request, exchange)
    })
    this.#busy.delete(connection)
    if (reusable) this.#connections.release(connection)
    else closeNow(connection)
    return ended
  }

  /** Waits a little for what is under way, then breaks it off: an endpoint that hangs must not keep the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => {
      for (const connection of this.#busy) closeNow(connection)
    }, this.#closeWithin)
    await Promise.all(this.#underWay)
    clearTimeout(timer)
    this.#connections.closeIdle()
  }
}
