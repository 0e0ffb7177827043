import { isIP } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { EndpointReply, SendResult } from '../../domain/delivery.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { machine, type Timer } from '../../lib/runtime.ts'
import { VERSION } from '../../version.ts'
import { type Guard, guardedConnector, hostNameOf } from '../guard/guard.ts'
import { failed, failureOf } from './failure.ts'
import type { MessageSender, OutgoingRequest } from './message.ts'
import { signatureHeaders } from './signature.ts'

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
    const started = machine.elapsed()
    const exchange = this.#exchange(signed(request), accountId)
    this.#open.add(exchange)
    const reply = await exchange
    this.#open.delete(exchange)
    const durationMs = Math.round(machine.elapsed() - started)
    return { startedAt: request.sentAt, durationMs, ...reply }
  }

  async #exchange({ url, headers, body }: OutgoingRequest, accountId: string): Promise<EndpointReply> {
    const target = urlPartsOf(url)
    // A watch created while http was allowed may outlive the setting.
    if (!target || !this.#protocols.includes(target.protocol))
      return failed('failed', `The URL does not begin with ${this.#protocols.join('// or ')}//.`)
    const startedAt = machine.elapsed()
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
      const elapsedMs = machine.elapsed() - startedAt
      const exchange = new Exchange((reply, reusable) => settle({ reply, reusable }), this.#timeoutMs, elapsedMs)
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
    const timer = machine.setTimeout(() => {
      for (const connection of this.#busy) closeNow(connection)
    }, this.#closeTimeoutMs)
    await Promise.all(this.#open)
    machine.clear(timer)
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

interface UrlParts {
  readonly protocol: string
  readonly origin: string
  readonly path: string
  /** The host to connect to, without a port. */
  readonly host: string
}

/** Cached, because parsing a URL costs as much as signing a message. */
const partsByUrl = new BoundedCache<string, UrlParts>(20_000)

/** Null if the text is not a URL. */
function urlPartsOf(url: string): UrlParts | null {
  const known = partsByUrl.get(url)
  if (known) return known
  const parsed = URL.parse(url)
  if (!parsed) return null
  const { protocol, origin, pathname, search } = parsed
  const parts = { protocol, origin, path: pathname + search, host: hostNameOf(parsed) }
  partsByUrl.set(url, parts)
  return parts
}

interface PooledConnection {
  readonly origin: string
  readonly client: Client
  connected: boolean
}

/**
 * Keeps connections alive by origin; above `maxIdle`, closes those idle for longest. undici's pool
 * is not used: after an aborted request it reconnects needlessly to an endpoint in trouble.
 */
class ConnectionPool {
  /** In the order of becoming idle. */
  readonly #idle = new Map<string, PooledConnection[]>()
  readonly #options: Client.Options
  readonly #maxIdle: number
  #idleCount = 0

  constructor(options: Client.Options, maxIdle: number) {
    this.#options = options
    this.#maxIdle = maxIdle
  }

  acquire(origin: string): PooledConnection {
    const idle = this.#idle.get(origin)
    if (!idle) return this.#open(origin)
    if (idle.length === 1) this.#idle.delete(origin)
    this.#idleCount--
    return idle.pop()!
  }

  /** Takes back a connection whose response was read to its end. */
  release(connection: PooledConnection): void {
    const { origin, connected } = connection
    if (!connected) {
      closeNow(connection)
      return
    }
    const idle = this.#idle.get(origin) ?? []
    idle.push(connection)
    // Moves the origin to the end of the map: the most recently used.
    this.#idle.delete(origin)
    this.#idle.set(origin, idle)
    this.#idleCount++
    if (this.#idleCount > this.#maxIdle) this.#closeIdle(this.#idle.values().next().value![0]!)
  }

  closeIdle(): void {
    for (const connection of [...this.#idle.values()].flat()) this.#closeIdle(connection)
  }

  #open(origin: string): PooledConnection {
    const client = new Client(origin, this.#options)
    const connection = { origin, client, connected: false }
    client.on('connect', () => {
      connection.connected = true
    })
    client.on('disconnect', () => {
      connection.connected = false
      if (this.#idle.get(origin)?.includes(connection)) this.#closeIdle(connection)
    })
    return connection
  }

  #closeIdle(connection: PooledConnection): void {
    const idle = this.#idle.get(connection.origin)!
    idle.splice(idle.indexOf(connection), 1)
    if (idle.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount--
    closeNow(connection)
  }
}

/** Closes at once and aborts an open request. */
function closeNow({ client }: PooledConnection): void {
  // The handler of an open request reports the abort, so the promise is not needed.
  void client.destroy()
}

type Settle = (reply: EndpointReply, reusable: boolean) => void

/**
 * Follows one request to its response, error or timeout. The connection is reusable only after a
 * response that was read to its end; otherwise the receiver of `settle` must close it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: Settle
  readonly #timer: Timer
  readonly #body = new ResponseBodyStart()
  #settled = false
  #status: number | null = null
  #retryAfter: string | null = null

  /** `elapsedMs` is what resolving the name has taken of the timeout. */
  constructor(settle: Settle, timeoutMs: number, elapsedMs: number) {
    this.#settle = settle
    this.#timer = machine.setTimeout(() => this.#timeOut(timeoutMs), Math.max(0, timeoutMs - elapsedMs))
  }

  /** undici recognises handlers of this interface by this method. */
  onRequestStart(): void {}

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#retryAfter = String(headers['retry-after'] ?? '') || null
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body.addChunk(chunk)) this.#settleAnswered(false)
  }

  onResponseEnd(): void {
    this.#settleAnswered(true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settleOnce(failureOf(error), false)
  }

  #settleAnswered(readToEnd: boolean): void {
    const status = this.#status!
    const message = `The endpoint answered ${status}.`
    const reply = { kind: 'answered', status, message, body: this.#body.text(), retryAfter: this.#retryAfter } as const
    this.#settleOnce(reply, readToEnd)
  }

  #timeOut(timeoutMs: number): void {
    const progress = this.#status === null ? 'did not answer' : `answered ${this.#status} but did not finish`
    this.#settleOnce(failed('timeout', `The endpoint ${progress} within ${timeoutMs / 1000} s.`), false)
  }

  #settleOnce(reply: EndpointReply, reusable: boolean): void {
    if (this.#settled) return
    this.#settled = true
    machine.clear(this.#timer)
    this.#settle(reply, reusable)
  }
}

/** Bytes read before the connection is closed. */
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 1024

const NOTHING = Buffer.alloc(0)

/** Keeps the start of a response body, for the watch's owner. */
class ResponseBodyStart {
  #readBytes = 0
  #kept = NOTHING

  /** Returns false once nothing more should be read. */
  addChunk(chunk: Buffer): boolean {
    if (this.#kept.length < MAX_KEPT_BYTES) {
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, MAX_KEPT_BYTES - this.#kept.length)])
    }
    this.#readBytes += chunk.length
    return this.#readBytes < MAX_READ_BYTES
  }

  /**
   * Replaces invalid UTF-8 and control characters by U+FFFD, because not every database can store
   * them. Drops a character that the limit cuts in two.
   */
  text(): string {
    if (this.#kept.length === 0) return ''
    const text = new TextDecoder().decode(this.#kept, { stream: this.#kept.length === MAX_KEPT_BYTES })
    return text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
  }
}
