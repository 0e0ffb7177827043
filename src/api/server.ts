import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ERRORS } from '../domain/error-codes.ts'
import { Problem } from '../domain/errors.ts'
import { AddressLimit, countRequestsByAddress } from './auth/quotas.ts'
import {
  ConnectionBounds,
  type ConnectionTimeouts,
  HttpServers,
  nameRoutes,
  refuseMalformedHttp,
} from './connections.ts'
import { acceptJson } from './requests/body.ts'
import { decorateClientAddress } from './requests/client.ts'
import { handleUnknownPaths, type NotFoundPage, problemFrom, sendProblem } from './responses/problem.ts'
import type { Environment } from './services.ts'

const MAX_BODY_BYTES = 256 * 1024
/** Fastify refuses longer path parameters with `FST_ERR_MAX_PARAM_LENGTH`. */
const MAX_PARAMETER_LENGTH = 200
const NO_QUERY = Object.freeze({})

export interface ServerOptions {
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
    trustProxy: isTrusted,
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
  decorateClientAddress(server, isTrusted)
  beginRequests(server, environment, addresses)
  nameRoutes(server)
  countRequestsByAddress(server, addresses)
  acceptJson(server)
  handleUnknownPaths(server, options.sendNotFoundPage)
  server.setErrorHandler((error, request, reply) => {
    const problem = problemFrom(error)
    if (ERRORS[problem.code].status >= 500 && problem.code !== 'busy')
      request.log.error({ err: error, request_id: request.id, url: request.url }, 'a request failed')
    sendProblem(request, reply, problem)
  })
  return { server, connections, bounds, addresses }
}

function beginRequests(server: FastifyInstance, { config }: Environment, addresses: AddressLimit): void {
  const secure = config.PUBLIC_URL?.startsWith('https:') === true
  const { log } = server
  server.addHook('onRequest', (request, reply, done) => {
    request.log = log
    reply.log = log
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (secure) reply.header('strict-transport-security', 'max-age=31536000')
    const needsHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined
    if (!needsHost && !request.is404) return done()
    const problem = needsHost ? new Problem('malformed_request', 'HTTP/1.1 needs a Host header.') : undefined
    done(addresses.countRequest(request, reply) ?? problem)
  })
}

/** Unique across processes. A counter: every request needs an id, and random bytes cost more. */
function requestIdGenerator(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${process}${(count++).toString(36).padStart(6, '0')}`
}

function noSchemas(): never {
  throw new Error('a route has a schema of Fastify; declare it in the contract instead')
}
