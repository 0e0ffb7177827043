import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ERRORS, type ErrorCode, Problem } from '../domain/errors.ts'
import { AddressLimit, countRequestsByAddress } from './auth/address-limit.ts'
import { Authenticator } from './auth/authenticator.ts'
import { answerPreflights } from './auth/cross-origin.ts'
import { metricsRoutes } from './metrics/metrics.ts'
import { mapPage } from './pages/map/map-page.ts'
import { referencePage } from './pages/reference.ts'
import { signUpPages } from './pages/sign-up.ts'
import { decorateClientAddress } from './requests/client-address.ts'
import { acceptJson } from './requests/json-body.ts'
import { problemBody, problemFrom, sendProblem } from './responses/problem-response.ts'
import { handleUnknownPaths } from './responses/unknown-paths.ts'
import { Router } from './router.ts'
import { archiveRoutes } from './routes/archive.ts'
import { changeRoutes } from './routes/changes.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { deskRoutes } from './routes/desk/routes.ts'
import { feedRoutes } from './routes/feeds.ts'
import { healthRoutes } from './routes/health.ts'
import { incidentRoutes } from './routes/incidents/routes.ts'
import { keyRoutes } from './routes/keys/routes.ts'
import { mapAssetRoutes } from './routes/map-assets.ts'
import { meRoutes } from './routes/me.ts'
import { openApiRoute } from './routes/openapi.ts'
import { placeRoutes } from './routes/places.ts'
import { publisherRoutes } from './routes/publishers.ts'
import { reportRoutes } from './routes/reports.ts'
import { statisticsRoutes } from './routes/statistics/routes.ts'
import { streamRoutes } from './routes/stream/routes.ts'
import { taxonomyRoutes } from './routes/taxonomy.ts'
import { tileRoutes } from './routes/tiles/routes.ts'
import { watchRoutes } from './routes/watches/routes.ts'
import type { Environment, Phase } from './services.ts'

const MAX_BODY_BYTES = 256 * 1024
/** Fastify refuses longer path parameters with `FST_ERR_MAX_PARAM_LENGTH`. */
const MAX_PARAMETER_LENGTH = 200

export function buildServer(
  environment: Environment,
  currentPhase: () => Phase,
  logger: FastifyBaseLogger,
): FastifyInstance {
  const newRequestId = requestIdGenerator()
  const addresses = new AddressLimit(environment)
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // A child logger costs more than most responses; log lines carry the request id instead.
    childLoggerFactory: (parent) => parent,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: environment.config.TRUST_PROXY,
    forceCloseConnections: 'idle',
    // Node would respond without a body; the hook below responds with a problem.
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    clientErrorHandler: (error, socket) => refuseMalformedHttp(error, socket, newRequestId()),
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply, addresses.countRequest(request, reply) ?? problemFrom(error)),
  })
  server.decorateRequest('caller', null)
  decorateClientAddress(server, environment.config.TRUST_PROXY)
  // Node responds 417 without a body; RFC 9110 lets a server ignore all but `100-continue`.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  addHeaders(server, environment, addresses)
  countRequestsByAddress(server, addresses)
  acceptJson(server)
  handleUnknownPaths(server)
  server.setErrorHandler((error, request, reply) => {
    const problem = problemFrom(error)
    if (ERRORS[problem.code].status >= 500)
      request.log.error({ err: error, request_id: request.id, url: request.url }, 'a request failed')
    sendProblem(request, reply, problem)
  })
  if (logger.level === 'debug') logRequests(server)
  metricsRoutes(server, environment, currentPhase)
  healthRoutes(server, environment, currentPhase)
  openApiRoute(server, environment)
  mapPage(server, environment, currentPhase)
  mapAssetRoutes(server, environment)
  referencePage(server, environment)
  signUpPages(server, environment, currentPhase)
  const router = new Router(server, new Authenticator(environment, currentPhase, addresses), environment, currentPhase)
  incidentRoutes(router)
  changeRoutes(router)
  streamRoutes(router)
  archiveRoutes(router)
  feedRoutes(router)
  statisticsRoutes(router)
  tileRoutes(router)
  taxonomyRoutes(router)
  placeRoutes(router)
  watchRoutes(router)
  deliveryRoutes(router)
  reportRoutes(router)
  deskRoutes(router)
  publisherRoutes(router)
  keyRoutes(router)
  meRoutes(router)
  answerPreflights(server)
  return server
}

function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { method, url, id } = request
    request.log.debug({ request_id: id, method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'request')
    done()
  })
}

function addHeaders(server: FastifyInstance, { config }: Environment, addresses: AddressLimit): void {
  const secure = config.PUBLIC_URL?.startsWith('https:') === true
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (secure) reply.header('strict-transport-security', 'max-age=31536000')
    const needsHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined
    if (!needsHost) done()
    else
      done(addresses.countRequest(request, reply) ?? new Problem('malformed_request', 'HTTP/1.1 needs a Host header.'))
  })
}

const PARSER_ERRORS: Readonly<Record<string, ErrorCode>> = { HPE_HEADER_OVERFLOW: 'headers_too_large' }

/** Malformed HTTP bypasses Fastify; replies with the same problem+json. */
function refuseMalformedHttp(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = PARSER_ERRORS[error.code ?? ''] ?? 'malformed_request'
  const body = JSON.stringify(problemBody(new Problem(code, ERRORS[code].meaning), requestId))
  const { status } = ERRORS[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Unique across processes. A counter: every request needs an id, and random bytes cost more. */
function requestIdGenerator(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${process}${(count++).toString(36).padStart(6, '0')}`
}
