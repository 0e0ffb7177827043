import type { FastifyInstance } from 'fastify'
import { type Authenticator, answerPreflights } from './auth/authenticator.ts'
import type { TipAdmission } from './auth/tip-admission.ts'
import { changeRoutes } from './changes.ts'
import { ENDPOINTS } from './contract/endpoints.ts'
import { openApiRoute } from './contract/openapi.ts'
import { collectionsRoute } from './contract/postman.ts'
import { SCHEMAS } from './contract/schemas.ts'
import { archiveRoutes } from './downloads.ts'
import { feedRoutes } from './feeds.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { placeRoutes } from './places.ts'
import { probeRoutes } from './probe.ts'
import { type BrowserPage, Router } from './router.ts'
import { memberRoutes } from './routes/admin/members.ts'
import { adminRoutes } from './routes/admin/routes.ts'
import { alertRoutes } from './routes/alerts/routes.ts'
import { areaRoutes } from './routes/areas.ts'
import { assistantRoutes } from './routes/assistants/routes.ts'
import { redeliverAllRoutes } from './routes/deliveries/redeliver-all.ts'
import { deliveryRoutes } from './routes/deliveries/routes.ts'
import { redactionRoutes } from './routes/desk/redactions.ts'
import { deskRoutes } from './routes/desk/routes.ts'
import { gazetteerRoutes } from './routes/gazetteer.ts'
import { recoveryRoutes } from './routes/keys/recovery.ts'
import { keyRoutes } from './routes/keys/routes.ts'
import { listenRoutes } from './routes/listen/routes.ts'
import { meRoutes } from './routes/me/routes.ts'
import { publisherRoutes } from './routes/publishers.ts'
import { pushRoutes } from './routes/push/routes.ts'
import { reportRoutes } from './routes/reports.ts'
import { passkeyRoutes } from './routes/sessions/passkeys.ts'
import { sessionRoutes } from './routes/sessions/routes.ts'
import { siteListRoutes } from './routes/sites.ts'
import { proposalRoutes } from './routes/sources/proposals.ts'
import { sourceRoutes } from './routes/sources/routes.ts'
import { unplacedStoryRoutes } from './routes/sources/unplaced-stories.ts'
import { tipRoutes } from './routes/tips/routes.ts'
import { watchExplainRoutes } from './routes/watches/explain.ts'
import { watchRoutes } from './routes/watches/routes.ts'
import { watchSendingRoutes } from './routes/watches/sending.ts'
import type { Environment, Phase } from './services.ts'
import { statisticsRoutes } from './statistics/statistics.ts'
import { healthRoutes, type ReadStatus, statusRoutes } from './status.ts'
import { streamRoutes } from './stream.ts'
import { taxonomyRoutes } from './taxonomy.ts'
import { tileRoutes } from './tiles.ts'
import { trendRoutes } from './trends/routes.ts'
import { mapAssetRoutes } from './web-assets.ts'

/** Probes, the OpenAPI document and built files: outside the contract, and without a key. */
export function addServiceRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  healthRoutes(server, environment, currentPhase)
  probeRoutes(server, environment, currentPhase)
  openApiRoute(server, environment)
  collectionsRoute(server, environment)
  mapAssetRoutes(server, environment)
}

export interface ApiParts {
  readonly authenticator: Authenticator
  readonly tips: TipAdmission
  readonly readStatus: ReadStatus
  readonly incidentPage: BrowserPage
}

/** Registers every endpoint of the contract. */
export function addApiRoutes(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  { authenticator, tips, readStatus, incidentPage }: ApiParts,
): void {
  const router = new Router(server, authenticator, environment, currentPhase, SCHEMAS)
  incidentRoutes(router, incidentPage)
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
  answerPreflights(server, ENDPOINTS)
}
