import { isIP } from 'node:net'
import type { EndpointReply, SendResult } from '../../domain/delivery.ts'
import { VERSION } from '../../version.ts'
import { type Guard, guardedConnector } from '../guard/guard.ts'
import { ConnectionPool, closeNow, type PooledConnection } from './connection-pool.ts'
import { Exchange } from './exchange.ts'
import { failed, failureOf } from './failure.ts'
import type { MessageSender, OutgoingRequest } from './outgoing-request.ts'
import { signatureHeaders } from './sign.ts'
import { urlPartsOf } from './url-parts.ts'

export interface WebhookSenderOptions {
  readonly guard: Guard
  /** Timeout of the whole exchange: name resolution, connection, TLS, headers and body. */
  readonly timeoutMs?: number
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: string
  /** Idle connections kept open for later requests. */
  readonly maxIdle?: number
  /** Time that closing waits for open requests. */
  readonly closeTimeoutMs?: number
}

/** Sent with every message, besides those of its signature. */
export const FIXED_HEADERS = { 'content-type': 'application/json', 'user-agent': `incident-feed/${VERSION}` }
const MAX_HEADER_BYTES = 16 * 1024
/** Short, so that a change of a host's address takes effect soon. */
const KEEP_ALIVE = { keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 }

/** Sends POST requests over kept-alive connections: no redirects, no proxy, no retries. */
export class WebhookSender implements MessageSender, AsyncDisposable {
  readonly #connections: ConnectionPool
  readonly #timeoutMs: number
  readonly #closeTimeoutMs: number
  readonly #protocols: readonly string[]
  readonly #prepareName: Guard['prepare']
  readonly #open = new Set<Promise<EndpointReply>>()
  readonly #busy = new Set<PooledConnection>()

  constructor(options: WebhookSenderOptions) {
    const { guard, timeoutMs = 15_000, ca, maxIdle = 1000, closeTimeoutMs = 2000 } = options
    this.#timeoutMs = timeoutMs
    this.#closeTimeoutMs = closeTimeoutMs
    this.#protocols = guard.allowPrivate ? ['https:', 'http:'] : ['https:']
    this.#prepareName = guard.prepare
    const connect = guardedConnector(guard, { timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) })
    // The exchange enforces one timeout over everything; undici's own timeouts are switched off.
    const limits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES }
    this.#connections = new ConnectionPool({ connect, ...limits, ...KEEP_ALIVE }, maxIdle)
  }

  async post(request: OutgoingRequest, accountId = ''): Promise<SendResult> {
    const started = performance.now()
    const exchange = this.#exchange(signed(request), accountId)
    this.#open.add(exchange)
    const reply = await exchange
    this.#open.delete(exchange)
    const durationMs = Math.round(performance.now() - started)
    return { startedAt: request.sentAt, durationMs, ...reply }
  }

  async #exchange({ url, headers, body }: OutgoingRequest, accountId: string): Promise<EndpointReply> {
    const target = urlPartsOf(url)
    // A watch created while http was allowed may outlive the setting.
    if (!target || !this.#protocols.includes(target.protocol))
      return failed('failed', `The URL does not begin with ${this.#protocols.join('// or ')}//.`)
    const startedAt = performance.now()
    const connection = this.#connections.acquire(target.origin)
    this.#busy.add(connection)
    const unresolved = connection.connected ? null : await this.#resolveName(target.host, accountId)
    if (unresolved !== null) {
      this.#busy.delete(connection)
      closeNow(connection)
      return unresolved
    }
    const request = { method: 'POST', path: target.path, headers: { ...FIXED_HEADERS, ...headers }, body } as const
    const { reply, reusable } = await new Promise<{ reply: EndpointReply; reusable: boolean }>((settle) => {
      const exchange = new Exchange(
        (reply, reusable) => settle({ reply, reusable }),
        this.#timeoutMs,
        performance.now() - startedAt,
      )
      connection.client.dispatch(request, exchange)
    })
    this.#busy.delete(connection)
    if (reusable) this.#connections.release(connection)
    else closeNow(connection)
    return reply
  }

  /** Returns null if the name has an address, or is one. */
  async #resolveName(host: string, accountId: string): Promise<EndpointReply | null> {
    if (this.#prepareName === undefined || isIP(host)) return null
    try {
      await this.#prepareName(host, accountId)
      return null
    } catch (error) {
      return failureOf(error)
    }
  }

  /** Waits briefly for open requests, then aborts them: a hanging endpoint must not block exit. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => {
      for (const connection of this.#busy) closeNow(connection)
    }, this.#closeTimeoutMs)
    await Promise.all(this.#open)
    clearTimeout(timer)
    this.#connections.closeIdle()
  }
}

/** Encodes the body once, for the signature and for the wire. */
function signed(request: OutgoingRequest): OutgoingRequest {
  const { sentAt, signing } = request
  if (signing === undefined) return request
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body
  const signature = signatureHeaders({ id: signing.id, sentAt, body }, signing.secrets)
  return { ...request, body, headers: { ...signature, ...request.headers } }
}
