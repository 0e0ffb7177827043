import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ERRORS, type ErrorCode } from '../domain/error-codes.ts'
import { invalidParameters, Problem } from '../domain/errors.ts'
import { clientNetwork, parseAddress, parseTrustedProxies, type TrustedProxies } from '../lib/network.ts'
import { machine, randomBytes, stopwatch, type Timer } from '../lib/runtime.ts'
import { storableText } from '../lib/text.ts'
import { ConnectionLimit } from '../streams/stream-connection.ts'
import { AddressLimit, countRequestsByAddress } from './auth/quotas.ts'
import { acceptJson } from './body.ts'
import { answerUnderWay, Pipelines } from './pipelining.ts'
import { handleUnknownPaths, type NotFoundPage, problemBody, problemFrom, sendProblem } from './problem.ts'
import { decorateClientAddress, queryOf } from './request.ts'
import type { Environment } from './services.ts'

const MAX_BODY_BYTES = 256 * 1024
/** Fastify refuses longer path parameters with `FST_ERR_MAX_PARAM_LENGTH`. */
const MAX_PARAMETER_LENGTH = 200
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
const NO_QUERY = Object.freeze({})

interface ServerOptions {
  readonly logger: FastifyBaseLogger
  readonly timeouts: ConnectionTimeouts
  readonly maxConnections: number
  readonly sendNotFoundPage: NotFoundPage
}

/** A server without routes, and its connections. */
export interface EmptyServer {
  readonly server: FastifyInstance
  readonly connections: HttpServers
  readonly bounds: ConnectionBounds
  readonly addresses: AddressLimit
}

/** Creates a server that bounds its clients and answers every error as problem+json. */
export function createServer(environment: Environment, options: ServerOptions): EmptyServer {
  const { logger, timeouts } = options
  const { TRUST_PROXY: isTrusted, CONNECTIONS_PER_ADDRESS: perAddress } = environment.config
  const newRequestId = requestIdGenerator()
  const addresses = new AddressLimit(environment)
  const bounds = new ConnectionBounds({ all: options.maxConnections, perAddress, isTrusted })
  const connections = new HttpServers({
    timeouts,
    bounds,
    onMalformed(error, socket) {
      if (addresses.countSocket(socket)) refuseMalformedHttp(error, socket, newRequestId(), timeouts.lingerMs)
      else socket.destroy()
    },
  })
  const server = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    bodyLimit: MAX_BODY_BYTES,
    // Fastify makes a plugin of every route, and none of them waits: hundreds of timers less.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    // The 503 that Fastify would send while closing is no problem+json; what has come is answered.
    return503OnClosing: false,
    serverFactory: (handler) => connections.create(handler),
    // Routes check bodies by the contract. Fastify's own compilers are a hundred modules, which
    // every start would load.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      ignoreTrailingSlash: true,
      // Every route reads its query itself (`requests/parameters.ts`), most of them from a cache.
      querystringParser: () => NO_QUERY,
    },
    // `connections` handles it, on every server.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply, addresses.countRequest(request, reply) ?? problemFrom(error)),
  })
  // With a logger of its own, Fastify would add a child of it and two listeners to every request.
  server.log = logger
  server.decorateRequest('caller', null)
  server.decorateRequest('leastSeq', 0)
  decorateClientAddress(server, isTrusted)
  beginRequests(server, environment, addresses, connections)
  nameRoutes(server)
  countRequestsByAddress(server, addresses)
  acceptJson(server)
  handleUnknownPaths(server, options.sendNotFoundPage)
  server.setErrorHandler((error, request, reply) => {
    const problem = problemFrom(error)
    if (ERRORS[problem.code].status >= 500 && !EXPECTED.has(problem.code))
      request.log.error({ err: error, request_id: request.id, url: request.url }, 'a request failed')
    sendProblem(request, reply, problem)
  })
  return { server, connections, bounds, addresses }
}

/** Answers of a service that works as it should, which need nobody's attention. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set(['busy', 'starting'])

function beginRequests(
  server: FastifyInstance,
  { config }: Environment,
  addresses: AddressLimit,
  connections: HttpServers,
): void {
  const secure = config.PUBLIC_URL?.startsWith('https:') === true
  const { log } = server
  server.addHook('onRequest', (request, reply, done) => {
    request.log = log
    reply.log = log
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // The client's next request must find another node, not a connection that has closed.
    if (connections.areDraining) {
      reply.header('connection', 'close')
      if (!PROBES.has(request.routeOptions.url ?? '')) connections.usedAt = machine.elapsed()
    }
    if (secure) reply.header('strict-transport-security', 'max-age=31536000')
    const problem = problemOfHead(request)
    if (problem === undefined && !request.is404) return done()
    done(addresses.countRequest(request, reply) ?? problem)
  })
}

function problemOfHead(request: FastifyRequest): Problem | undefined {
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
    return new Problem('malformed_request', 'HTTP/1.1 needs a Host header.')
  if (hasWrongHost(request.raw))
    return new Problem('malformed_request', 'There must be one Host header, with one host name and perhaps a port.')
  // Bytes that are no UTF-8 become U+FFFD in a query and are refused in a path: of all that an
  // address can say, NUL alone cannot be stored.
  if (!request.raw.url!.includes('%00')) return undefined
  const given = [...Object.entries(request.params ?? {}), ...new URLSearchParams(queryOf(request))]
  const names = given
    .filter((each) => each[0] !== '*' && each.join().includes('\0'))
    .map(([name]) => storableText(name.slice(0, 200)))
  if (names.length === 0) return new Problem('malformed_request', `The path ${NUL}.`)
  return invalidParameters([...new Set(names)].slice(0, 20).map((parameter) => ({ parameter, message: NUL })))
}

/**
 * Node keeps the first of several, and a proxy before it may go by the last: the two would disagree
 * on the site that was asked for.
 */
function hasWrongHost({ rawHeaders, headers }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 || (headers.host !== undefined && /[\s,/\\?#@]/.test(headers.host))
}

const NUL = 'contains %00, a NUL character; leave it out'

/** Unique across processes. A counter: every request needs an id, and random bytes cost more. */
function requestIdGenerator(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${process}${(count++).toString(36).padStart(6, '0')}`
}

function noSchemas(): never {
  throw new Error('a route has a schema of Fastify; declare it in the contract instead')
}

type MalformedError = Error & { readonly code?: string }

interface HttpServersOptions {
  readonly timeouts: ConnectionTimeouts
  readonly bounds: ConnectionBounds
  readonly onMalformed: (error: MalformedError, socket: Socket) => void
}

/** Creates servers that are bounded alike: Fastify needs two if a host name has two addresses. */
class HttpServers {
  readonly counts = new ResponseCounts()
  /** Every connection ends with its next answer; others may still be opened. */
  areDraining = false
  /** While they drain, when the last request began that was no probe. */
  usedAt = Number.NEGATIVE_INFINITY
  readonly #options: HttpServersOptions
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  #slowReaders: SlowReaders | null = null
  readonly #pipelines = new Pipelines()
  #openRequests = 0
  /** One listener for all responses, which are its `this`: a closure for each would cost more. */
  readonly #responseClosed: (this: CountedResponse) => void

  constructor(options: HttpServersOptions) {
    this.#options = options
    const servers = this
    this.#responseClosed = function responseClosed() {
      servers.#openRequests--
      this.body?.release()
      servers.counts.addResponse(this)
      if (servers.#pipelines.size > 0) void servers.#pipelines.startNext(this.req)
    }
  }

  get openConnections(): number {
    return this.#sockets.size
  }

  /** Requests that have begun and whose response has not ended, streams included. */
  get openRequests(): number {
    return this.#openRequests
  }

  create(handler: RequestListener): Server {
    const { timeouts, bounds, onMalformed } = this.#options
    const begin = (request: IncomingMessage, response: CountedResponse): void => {
      response.startedAt = stopwatch()
      this.#openRequests++
      response.on('close', this.#responseClosed)
      handler(request, response)
    }
    const server = createHttpServer(
      {
        // Node would respond without a body; a hook responds with a problem.
        requireHostHeader: false,
        headersTimeout: timeouts.headersMs,
        requestTimeout: timeouts.requestMs,
        connectionsCheckingInterval: timeouts.checkIntervalMs,
        keepAliveTimeout: timeouts.keepAliveMs,
        ServerResponse: CountedResponse,
      },
      (request, response) => {
        // The connection still belongs to an earlier response.
        if (response.socket === null) this.#pipelines.addRequest({ response, begin: () => begin(request, response) })
        else begin(request, response)
      },
    )
    const closeIdle = server.closeIdleConnections.bind(server)
    // Node itself calls it, too.
    server.closeIdleConnections = () => this.#whileSendingCountsAsBusy(closeIdle)
    server.setTimeout(timeouts.silenceMs)
    // The size of all headers is bounded. By default Node drops those beyond the 2000th without a
    // word, and with them the address that a proxy appends.
    server.maxHeadersCount = 0
    // Node responds 417 without a body; RFC 9110 lets a server ignore all but `100-continue`.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    server.on('clientError', (error: MalformedError, duplex) => {
      const socket = duplex as Socket
      const refuse = () => onMalformed(error, socket)
      // It may be late because it was not read before its turn: no client is told that it was slow.
      const end = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? () => socket.destroySoon() : refuse
      if (!this.#pipelines.endAfterAnswers(socket, end)) refuse()
    })
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    bounds.apply(server)
    this.#slowReaders ??= new SlowReaders(this.#sockets, timeouts.slowReaderMs, timeouts.slowReaderBytes)
    this.#servers.push(server)
    server.on('close', () => this.#slowReaders?.[Symbol.dispose]())
    return server
  }

  /** Node calls a connection idle once it has the whole answer, whether or not it is sent. */
  #whileSendingCountsAsBusy(work: () => void): void {
    const sending = [...this.#sockets].map(answerUnderWay).filter((answer) => answer?.finished)
    for (const answer of sending) answer!.finished = false
    work()
    for (const answer of sending) answer!.finished = true
  }

  /** Accepts no further connection; resolves once those that are open have ended. */
  async stopListening(): Promise<void> {
    const listening = this.#servers.filter((server) => server.listening)
    await Promise.all(listening.map((server) => new Promise((resolve) => server.close(resolve))))
  }

  /** Ends connections between two requests. */
  closeIdleConnections(): void {
    for (const server of this.#servers) server.closeIdleConnections()
  }

  /** Ends every connection, whatever is under way on it. */
  closeAllConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/**
 * A response that carries what is counted when it ends. Fastify's own hook for that costs two
 * listeners and their closures for each answer, which is more than the counting.
 */
export class CountedResponse extends ServerResponse {
  startedAt = 0
  /** The declared path of the route that answers; null if none does. */
  route: string | null = null
  /** A stream lasts as long as its client wants, which says nothing about speed. */
  isStream = false
  /** The body while it is being sent, if its memory is used again afterwards. */
  body: { release(): void } | null = null
}

/** In seconds; a duration counts in the first bucket that is not below it. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
/** Statuses have three digits. */
const STATUSES = 600

class Durations {
  /** The last is for those above all buckets. */
  readonly counts = new Float64Array(DURATION_BUCKETS.length + 1)
  sum = 0

  add(seconds: number): void {
    let bucket = 0
    while (bucket < DURATION_BUCKETS.length && seconds > DURATION_BUCKETS[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += seconds
  }
}

/** The answers that were sent to their end, by route and method and by status. */
export class ResponseCounts {
  readonly byRoute = new Map<string, Map<string, Durations>>()
  readonly byStatus = new Float64Array(STATUSES)

  addResponse(response: CountedResponse): void {
    if (!response.writableFinished) return
    this.byStatus[response.statusCode]!++
    if (response.isStream) return
    const durations = this.#durationsOf(response.route ?? 'none', response.req.method!)
    durations.add((stopwatch() - response.startedAt) / 1000)
  }

  #durationsOf(route: string, method: string): Durations {
    const known = this.byRoute.get(route)?.get(method)
    if (known !== undefined) return known
    const durations = new Durations()
    const byMethod = this.byRoute.get(route)
    if (byMethod === undefined) this.byRoute.set(route, new Map([[method, durations]]))
    else byMethod.set(method, durations)
    return durations
  }
}

export interface ConnectionTimeouts {
  /** Time for the request line and the headers. */
  readonly headersMs: number
  /** Time for the whole request. */
  readonly requestMs: number
  /** Interval at which Node looks for requests that take longer; both times are exceeded by it. */
  readonly checkIntervalMs: number
  /** Idle time between two requests. Longer than the 60 s of usual proxies, so that they close. */
  readonly keepAliveMs: number
  /** A connection without any byte in either direction is closed after this; streams send more. */
  readonly silenceMs: number
  /** A client with unread bytes must take `slowReaderBytes` within this time, or all of them. */
  readonly slowReaderMs: number
  readonly slowReaderBytes: number
  /** Time for a refused client to read the answer and close. */
  readonly lingerMs: number
}

/** Without `headersMs` and `checkIntervalMs`, Node's own 60 s and 30 s apply to slow bodies too. */
export const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  headersMs: 20_000,
  requestMs: 25_000,
  checkIntervalMs: 5_000,
  keepAliveMs: 72_000,
  silenceMs: 45_000,
  slowReaderMs: 300_000,
  slowReaderBytes: 256 * 1024,
  lingerMs: 1000,
}

/** Tells each response its route. Call before registering routes. */
function nameRoutes(server: FastifyInstance): void {
  const naming = new Set<object>()
  server.addHook('onRoute', (route) => {
    const own = [route.onRequest ?? []].flat()
    // Fastify derives a HEAD route from the options of the GET route, which have it already.
    if (own.some((hook) => naming.has(hook))) return
    const name = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      ;(reply.raw as CountedResponse).route = route.url
      done()
    }
    naming.add(name)
    route.onRequest = [name, ...own]
  })
}

/**
 * Beyond CONNECTIONS, for the machine itself and trusted proxies: probes must always get through.
 */
const RESERVED = 100
const FREE_IDLE_INTERVAL_MS = 1000
const isLoopback = parseTrustedProxies('loopback')!

interface ConnectionBoundsOptions {
  readonly all: number
  readonly perAddress: number
  /** Their connections carry many clients, so only `all` bounds them. */
  readonly isTrusted: TrustedProxies
}

/** Closes connections above the bounds as soon as they are accepted. */
export class ConnectionBounds {
  readonly #options: ConnectionBoundsOptions
  readonly #limit: ConnectionLimit
  #freedAt = Number.NEGATIVE_INFINITY
  readonly refused = { address: 0, all: 0 }

  constructor(options: ConnectionBoundsOptions) {
    this.#options = options
    this.#limit = new ConnectionLimit(options.all)
  }

  apply(server: Server): void {
    server.maxConnections = this.#options.all + RESERVED
    server.on('drop', () => this.#refuse('all', server))
    server.on('connection', (socket) => this.#admit(socket, server))
  }

  #admit(socket: Socket, server: Server): void {
    const peer = parseAddress(socket.remoteAddress ?? '')
    if (peer === null) {
      // The client has disconnected already.
      socket.destroy()
      return
    }
    if (this.#options.isTrusted(peer, 0)) return
    const bounds = [{ subject: clientNetwork(peer), max: this.#options.perAddress }]
    const result = this.#limit.acquire(bounds)
    if (result === 'taken') socket.once('close', () => this.#limit.release(bounds))
    else if (result !== 'all full' || !isLoopback(peer, 0)) {
      this.#refuse(result === 'all full' ? 'all' : 'address', server)
      socket.destroy()
    }
  }

  /** Idle connections make room for those who come when there is none. */
  #refuse(reason: 'address' | 'all', server: Server): void {
    this.refused[reason]++
    if (reason === 'address' || machine.elapsed() - this.#freedAt < FREE_IDLE_INTERVAL_MS) return
    this.#freedAt = machine.elapsed()
    server.closeIdleConnections()
  }
}

interface UnreadBytes {
  readonly since: number
  /** Bytes that the client had taken at that time. */
  readonly taken: number
}

/** Checks per window: a client is found slow at most this share of the window late. */
const CHECKS_PER_WINDOW = 10

/**
 * Ends connections whose clients read so slowly that they only hold memory. Node's own timeout is
 * reset by every byte, so it ends only clients that read nothing at all.
 */
class SlowReaders implements Disposable {
  readonly #sockets: ReadonlySet<Socket>
  readonly #unread = new WeakMap<Socket, UnreadBytes>()
  readonly #windowMs: number
  readonly #leastBytes: number
  readonly #timer: Timer

  constructor(sockets: ReadonlySet<Socket>, windowMs: number, leastBytes: number) {
    this.#sockets = sockets
    this.#windowMs = windowMs
    this.#leastBytes = leastBytes
    this.#timer = machine.setInterval(() => this.#check(machine.elapsed()), windowMs / CHECKS_PER_WINDOW)
  }

  [Symbol.dispose](): void {
    machine.clear(this.#timer)
  }

  #check(now: number): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength === 0) {
        this.#unread.delete(socket)
        continue
      }
      const taken = takenBytes(socket)
      const before = this.#unread.get(socket)
      if (before !== undefined && now - before.since < this.#windowMs) continue
      if (before !== undefined && taken - before.taken < this.#leastBytes) socket.destroy()
      else this.#unread.set(socket, { since: now, taken })
    }
  }
}

/**
 * Bytes passed to the operating system. Node's public counters only move when a whole write is
 * finished, and one write may be a list of many megabytes.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

const PARSER_ERRORS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/**
 * Malformed HTTP and requests that take too long bypass Fastify; replies with the same
 * problem+json. The client has `lingerMs` to read it: without an end, it could keep the socket open
 * for ever.
 */
function refuseMalformedHttp(error: MalformedError, socket: Socket, requestId: string, lingerMs: number): void {
  // A second answer must not be written into the first.
  if (error.code === 'ECONNRESET' || !socket.writable || answerUnderWay(socket)?.headersSent) {
    socket.destroy()
    return
  }
  const code = PARSER_ERRORS[error.code ?? ''] ?? 'malformed_request'
  const body = JSON.stringify(problemBody(new Problem(code, ERRORS[code].meaning), requestId))
  const { status } = ERRORS[code]
  const timer = machine.setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => machine.clear(timer))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  )
}
