import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Authenticator } from '../api/auth/authenticator.ts'
import { openApiRoute } from '../api/contract/openapi.ts'
import { collectionsRoute } from '../api/contract/postman.ts'
import { collectMetrics, metricsRoute, storeReadings } from '../api/metrics.ts'
import { type LineDestination, logRequests } from '../api/request-log.ts'
import { addApiRoutes, addServiceRoutes } from '../api/routes.ts'
import { type ConnectionTimeouts, createServer, type EmptyServer } from '../api/server.ts'
import { type Environment, type Phase, refusalToWrite } from '../api/services.ts'
import { type ReadStatus, statusReader } from '../api/status.ts'
import { TipAdmission } from '../api/tips.ts'
import { SettingError, SettingUnavailable } from '../config/setting-kinds.ts'
import type { Config } from '../config/settings.ts'
import { aboutPage } from '../pages/about.ts'
import { keyLinkPages } from '../pages/account-pages.ts'
import { linkPages } from '../pages/alert-link-page.ts'
import { alertsPage } from '../pages/alerts-page.ts'
import { consolePage, deskPage, signInPage } from '../pages/app-pages.ts'
import { areaPages } from '../pages/areas/area-pages.ts'
import { briefingPage } from '../pages/briefing.ts'
import { docsPages } from '../pages/docs/docs-pages.ts'
import { incidentPage } from '../pages/map/incident-page.ts'
import { mapPage } from '../pages/map/map-page.ts'
import { previewRoutes } from '../pages/preview/previews.ts'
import { reportPages } from '../pages/report/report-page.ts'
import { sendNotFoundPage, siteRoutes } from '../pages/site.ts'
import { StaticMap } from '../pages/static-map.ts'
import { statusPage } from '../pages/status.ts'
import { traceRequests } from '../tracing/traced-parts.ts'

/** The connections of `/metrics` if it has a port of its own: a few scrapers. */
const METRICS_CONNECTIONS = 50

export interface HttpService {
  /** The public server first. */
  readonly servers: readonly FastifyInstance[]
  /** Null if the public server has `/metrics`. */
  readonly metrics: FastifyInstance | null
  /** Every connection ends with its next answer. */
  drain(): void
  /** While it drains, when the last request began that was no probe, on the machine's clock. */
  usedAt(): number
  /** Accepts no further connection; resolves once those that are open have ended. */
  stopListening(): Promise<unknown>
  closeIdleConnections(): void
  /** Ends every connection, whatever is under way on it. */
  closeAllConnections(): void
  openConnections(): number
  /** Resolves once every logged request is written. */
  flushRequestLog(): Promise<void>
  /** Requests without a complete response, streams included. */
  openRequests(): number
}

export function buildServers(
  environment: Environment,
  currentPhase: () => Phase,
  logger: FastifyBaseLogger,
  timeouts: ConnectionTimeouts,
  requestLog: () => LineDestination,
): HttpService {
  const { CONNECTIONS, METRICS_PORT, METRICS_PUBLIC } = environment.config
  const main = createServer(environment, { logger, timeouts, maxConnections: CONNECTIONS, sendNotFoundPage })
  const { flush } = logRequests(main.server, environment, requestLog)
  if (environment.tracing !== null) traceRequests(main.server, environment.tracing.tracer)
  const readings = storeReadings(environment, currentPhase)
  const registry = collectMetrics(main, environment, currentPhase, readings)
  const metrics =
    METRICS_PORT === null
      ? null
      : createServer(environment, { logger, timeouts, maxConnections: METRICS_CONNECTIONS, sendNotFoundPage })
  const authenticator = new Authenticator(environment, currentPhase, main.addresses)
  if (metrics === null) metricsRoute(main.server, registry, METRICS_PUBLIC ? null : authenticator)
  else metricsRoute(metrics.server, registry, null)
  addRoutes(main, environment, currentPhase, statusReader(environment, currentPhase, readings), authenticator)
  const all = metrics === null ? [main] : [main, metrics]
  return {
    servers: all.map(({ server }) => server),
    metrics: metrics?.server ?? null,
    drain() {
      for (const { connections } of all) connections.areDraining = true
    },
    usedAt: () => main.connections.usedAt,
    stopListening: () => Promise.all(all.map(({ connections }) => connections.stopListening())),
    closeIdleConnections() {
      for (const { connections } of all) connections.closeIdleConnections()
    },
    closeAllConnections() {
      for (const { connections } of all) connections.closeAllConnections()
    },
    openConnections: () => all.reduce((sum, { connections }) => sum + connections.openConnections, 0),
    flushRequestLog: flush,
    openRequests: () => all.reduce((sum, { connections }) => sum + connections.openRequests, 0),
  }
}

/** Opens the ports of PORT and METRICS_PORT; a failure names the setting and a right value. */
export async function listen({ servers: [main], metrics }: HttpService, config: Config): Promise<void> {
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = config
  await listenAt(main!, PORT, HOST, '')
  if (metrics !== null) await listenAt(metrics, METRICS_PORT!, METRICS_HOST, 'METRICS_')
}

async function listenAt(server: FastifyInstance, port: number, host: string, prefix: string): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new SettingUnavailable(
        `${prefix}PORT: another process, or this one, already listens on port ${port} of ${host}; end it, or set ${prefix}PORT to a free port`,
      )
    if (code === 'EACCES')
      throw new SettingError(
        `${prefix}PORT: this user may not listen on port ${port}; set ${prefix}PORT to one from 1024 on, with a proxy before it`,
      )
    throw new SettingError(
      `${prefix}HOST: ${host} is no address of this machine (${code ?? message}); 127.0.0.1 admits this machine alone, 0.0.0.0 all networks`,
    )
  }
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

function addRoutes(
  { server }: EmptyServer,
  environment: Environment,
  currentPhase: () => Phase,
  readStatus: ReadStatus,
  authenticator: Authenticator,
): void {
  server.addHook('onRequest', ({ method, routeOptions }, _, done) => {
    const refusal =
      READING.has(method) || routeOptions.config.readsOnly === true ? null : refusalToWrite(currentPhase())
    if (refusal === null) done()
    else done(refusal)
  })
  addServiceRoutes(server, environment, currentPhase)
  openApiRoute(server, environment)
  collectionsRoute(server, environment)
  mapPage(server, environment, currentPhase)
  siteRoutes(server, environment)
  docsPages(server, environment)
  aboutPage(server, environment)
  statusPage(server, environment, currentPhase, readStatus)
  const map = new StaticMap(environment.geography.statesGeoJson)
  previewRoutes(server, environment, currentPhase, map)
  briefingPage(server, environment, currentPhase, map)
  areaPages(server, environment, currentPhase, map)
  keyLinkPages(server, environment, currentPhase)
  alertsPage(server, environment, currentPhase)
  linkPages(server, environment, currentPhase)
  const tips = new TipAdmission(environment, currentPhase)
  reportPages(server, environment, tips)
  const hasSession = (request: FastifyRequest) => authenticator.sessions.isSignedIn(request)
  signInPage(server, environment, hasSession)
  consolePage(server, environment, hasSession)
  deskPage(server, environment, currentPhase, hasSession)
  const parts = { authenticator, tips, readStatus, incidentPage: incidentPage(environment) }
  addApiRoutes(server, environment, currentPhase, parts)
}
