import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { aboutPage } from '../pages/about/about-page.ts'
import { alertsPage } from '../pages/alerts/alerts-page.ts'
import { linkPages } from '../pages/alerts/link-page.ts'
import { areaPages } from '../pages/areas/area-pages.ts'
import { briefingPage } from '../pages/briefing/briefing-page.ts'
import { consolePage } from '../pages/console/console-page.ts'
import { deskPage } from '../pages/desk/desk-page.ts'
import { docsPages } from '../pages/docs/docs-pages.ts'
import { mapPage } from '../pages/map/map-page.ts'
import { previewRoutes } from '../pages/preview/routes.ts'
import { recoveryPages } from '../pages/recovery.ts'
import { reportPages } from '../pages/report/report-page.ts'
import { signInPage } from '../pages/sign-in/sign-in-page.ts'
import { signUpPages } from '../pages/sign-up.ts'
import { siteRoutes } from '../pages/site/routes.ts'
import { StaticMap } from '../pages/static-map/static-map.ts'
import { statusPage } from '../pages/status/status-page.ts'
import { traceRequests } from '../tracing/trace-requests.ts'
import { Authenticator } from './auth/authenticator.ts'
import { answerPreflights } from './auth/cross-origin.ts'
import { TipAdmission } from './auth/tips/tip-admission.ts'
import type { ConnectionTimeouts } from './connections/connection-timeouts.ts'
import { createServer, type EmptyServer } from './create-server.ts'
import { collectMetrics, metricsRoute } from './metrics/metrics.ts'
import { type ReadStatus, statusReader } from './monitoring/service-status.ts'
import { storeReadings } from './monitoring/store-readings.ts'
import type { LineDestination } from './request-log/descriptor.ts'
import { logRequests } from './request-log/request-log.ts'
import { Router } from './router.ts'
import { memberRoutes } from './routes/admin/members.ts'
import { adminRoutes } from './routes/admin/routes.ts'
import { alertRoutes } from './routes/alerts/routes.ts'
import { archiveRoutes } from './routes/archive.ts'
import { areaRoutes } from './routes/areas.ts'
import { assistantRoutes } from './routes/assistants/routes.ts'
import { changeRoutes } from './routes/changes.ts'
import { collectionsRoute } from './routes/collections.ts'
import { redeliverAllRoutes } from './routes/deliveries/redeliver-all.ts'
import { deliveryRoutes } from './routes/deliveries/routes.ts'
import { redactionRoutes } from './routes/desk/redactions.ts'
import { deskRoutes } from './routes/desk/routes.ts'
import { feedRoutes } from './routes/feeds.ts'
import { gazetteerRoutes } from './routes/gazetteer.ts'
import { healthRoutes } from './routes/health.ts'
import { incidentRoutes } from './routes/incidents/routes.ts'
import { recoveryRoutes } from './routes/keys/recovery.ts'
import { keyRoutes } from './routes/keys/routes.ts'
import { listenRoutes } from './routes/listen/routes.ts'
import { mapAssetRoutes } from './routes/map-assets.ts'
import { meRoutes } from './routes/me/routes.ts'
import { openApiRoute } from './routes/openapi.ts'
import { placeRoutes } from './routes/places.ts'
import { probeRoutes } from './routes/probe/routes.ts'
import { publisherRoutes } from './routes/publishers.ts'
import { pushRoutes } from './routes/push/routes.ts'
import { reportRoutes } from './routes/reports.ts'
import { passkeyRoutes } from './routes/sessions/passkeys.ts'
import { sessionRoutes } from './routes/sessions/routes.ts'
import { siteListRoutes } from './routes/sites.ts'
import { proposalRoutes } from './routes/sources/proposals.ts'
import { sourceRoutes } from './routes/sources/routes.ts'
import { unplacedStoryRoutes } from './routes/sources/unplaced-stories.ts'
import { statisticsRoutes } from './routes/statistics/routes.ts'
import { statusRoutes } from './routes/status.ts'
import { streamRoutes } from './routes/stream/routes.ts'
import { taxonomyRoutes } from './routes/taxonomy.ts'
import { tileRoutes } from './routes/tiles/routes.ts'
import { tipRoutes } from './routes/tips/routes.ts'
import { trendRoutes } from './routes/trends/routes.ts'
import { watchExplainRoutes } from './routes/watches/explain.ts'
import { watchRoutes } from './routes/watches/routes.ts'
import { watchSendingRoutes } from './routes/watches/sending.ts'
import type { Environment, Phase } from './services.ts'

/** The connections of `/metrics` if it has a port of its own: a few scrapers. */
const METRICS_CONNECTIONS = 50

export interface HttpService {
  /** The public server first. */
  readonly servers: readonly FastifyInstance[]
  /** Null if the public server has `/metrics`. */
  readonly metrics: FastifyInstance | null
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
  const { CONNECTIONS, METRICS_PORT } = environment.config
  const main = createServer(environment, { logger, timeouts, maxConnections: CONNECTIONS })
  const { flush } = logRequests(main.server, environment, requestLog)
  if (environment.tracing !== null) traceRequests(main.server, environment.tracing.tracer)
  const readings = storeReadings(environment, currentPhase)
  const registry = collectMetrics(main, environment, currentPhase, readings)
  const metrics =
    METRICS_PORT === null ? null : createServer(environment, { logger, timeouts, maxConnections: METRICS_CONNECTIONS })
  metricsRoute((metrics ?? main).server, registry)
  addRoutes(main, environment, currentPhase, statusReader(environment, currentPhase, readings))
  const all = metrics === null ? [main] : [main, metrics]
  return {
    servers: all.map(({ server }) => server),
    metrics: metrics?.server ?? null,
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

function addRoutes(
  { server, addresses }: EmptyServer,
  environment: Environment,
  currentPhase: () => Phase,
  readStatus: ReadStatus,
): void {
  healthRoutes(server, environment, currentPhase)
  probeRoutes(server, environment, currentPhase)
  openApiRoute(server, environment)
  collectionsRoute(server, environment)
  mapPage(server, environment, currentPhase)
  mapAssetRoutes(server, environment)
  siteRoutes(server, environment)
  docsPages(server, environment)
  aboutPage(server, environment)
  statusPage(server, environment, currentPhase, readStatus)
  const map = new StaticMap(environment.geography.statesGeoJson)
  previewRoutes(server, environment, currentPhase, map)
  briefingPage(server, environment, currentPhase, map)
  areaPages(server, environment, currentPhase, map)
  signUpPages(server, environment, currentPhase)
  alertsPage(server, environment, currentPhase)
  linkPages(server, environment, currentPhase)
  recoveryPages(server, environment, currentPhase)
  const tips = new TipAdmission(environment, currentPhase)
  reportPages(server, environment, tips)
  const authenticator = new Authenticator(environment, currentPhase, addresses)
  const hasSession = (request: FastifyRequest) => authenticator.sessions.isSignedIn(request)
  signInPage(server, environment, hasSession)
  consolePage(server, environment, hasSession)
  deskPage(server, environment, currentPhase, hasSession)
  const router = new Router(server, authenticator, environment, currentPhase)
  incidentRoutes(router)
  changeRoutes(router)
  streamRoutes(router)
  archiveRoutes(router)
  feedRoutes(router)
  statisticsRoutes(router)
  trendRoutes(router)
  tileRoutes(router)
  taxonomyRoutes(router)
  statusRoutes(router, readStatus)
  placeRoutes(router)
  assistantRoutes(router)
  areaRoutes(router)
  siteListRoutes(router)
  watchRoutes(router)
  watchSendingRoutes(router)
  watchExplainRoutes(router)
  deliveryRoutes(router)
  redeliverAllRoutes(router)
  listenRoutes(router)
  reportRoutes(router)
  deskRoutes(router)
  redactionRoutes(router)
  publisherRoutes(router)
  tipRoutes(router, tips)
  pushRoutes(router)
  alertRoutes(router)
  gazetteerRoutes(router)
  keyRoutes(router)
  recoveryRoutes(router)
  sessionRoutes(router)
  passkeyRoutes(router)
  meRoutes(router)
  adminRoutes(router)
  memberRoutes(router)
  sourceRoutes(router)
  proposalRoutes(router)
  unplacedStoryRoutes(router)
  answerPreflights(server)
}
