import type { FastifyInstance } from 'fastify'
import { adminRoutes, memberRoutes } from './accounts/admin.ts'
import { keyRoutes } from './accounts/keys.ts'
import { meRoutes } from './accounts/me.ts'
import { passkeyRoutes } from './accounts/passkeys.ts'
import { recoveryRoutes, sessionRoutes } from './accounts/sessions.ts'
import { alertRoutes } from './alerts/alerts.ts'
import { areaRoutes } from './areas.ts'
import { assistantRoutes } from './assistants/routes.ts'
import { type Authenticator, answerPreflights } from './auth/authenticator.ts'
import { changeRoutes } from './changes.ts'
import { deliveryRoutes, redeliverAllRoutes } from './deliveries/routes.ts'
import { decisionRoutes } from './desk/decisions.ts'
import { duplicateRoutes } from './desk/duplicates.ts'
import { extractRoutes } from './desk/extract.ts'
import { gazetteerRoutes } from './desk/gazetteer.ts'
import { publisherRoutes } from './desk/publishers.ts'
import { deskRoutes, deskStreamRoutes } from './desk/queue.ts'
import { redactionRoutes } from './desk/redactions.ts'
import { archiveRoutes } from './downloads.ts'
import { feedRoutes } from './feeds.ts'
import { incidentRoutes } from './incidents/incidents.ts'
import { listenRoutes } from './listen.ts'
import { placeRoutes } from './places.ts'
import { probeRoutes } from './probe.ts'
import { pushRoutes } from './push.ts'
import { reportRoutes } from './reports/routes.ts'
import { type BrowserPage, Router } from './router.ts'
import type { Environment, Phase } from './services.ts'
import { siteListRoutes } from './sites.ts'
import { proposalRoutes } from './sources/proposals.ts'
import { sourceRoutes } from './sources/sources.ts'
import { unplacedStoryRoutes } from './sources/unplaced-stories.ts'
import { statisticsRoutes } from './statistics/statistics.ts'
import { healthRoutes, type ReadStatus, statusRoutes } from './status.ts'
import { streamRoutes } from './stream.ts'
import { taxonomyRoutes } from './taxonomy.ts'
import { tileRoutes } from './tiles.ts'
import { deskTipRoutes, type TipAdmission, tipRoutes } from './tips.ts'
import { trendRoutes } from './trends/routes.ts'
import { watchExplainRoutes, watchRoutes, watchSendingRoutes } from './watches/routes.ts'
import { mapAssetRoutes } from './web-assets.ts'

/** Probes and built files: outside the contract, and without a key. */
export function addServiceRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  healthRoutes(server, environment, currentPhase)
  probeRoutes(server, environment, currentPhase)
  mapAssetRoutes(server, environment)
}

interface ApiParts {
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
  const router = new Router(server, authenticator, environment, currentPhase)
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
  deskStreamRoutes(router)
  deskTipRoutes(router)
  decisionRoutes(router)
  duplicateRoutes(router)
  extractRoutes(router)
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
