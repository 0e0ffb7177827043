import type { FastifyInstance } from 'fastify'
import { adminRoutes } from './accounts/admin.ts'
import { keyRoutes } from './accounts/keys.ts'
import { meRoutes } from './accounts/me.ts'
import { sessionRoutes } from './accounts/sessions.ts'
import { alertRoutes } from './alerts/alerts.ts'
import { areaRoutes } from './areas.ts'
import { assistantRoutes } from './assistants/routes.ts'
import { type Authenticator, answerPreflights } from './auth/authenticator.ts'
import { changeRoutes } from './changes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { decisionRoutes } from './desk/decisions.ts'
import { duplicateRoutes } from './desk/duplicates.ts'
import { extractRoutes } from './desk/extract.ts'
import { gazetteerRoutes } from './desk/gazetteer.ts'
import { publisherRoutes } from './desk/publishers.ts'
import { deskRoutes } from './desk/queue.ts'
import { redactionRoutes } from './desk/redactions.ts'
import { archiveRoutes } from './downloads.ts'
import { feedRoutes } from './feeds.ts'
import { incidentRoutes } from './incidents/incidents.ts'
import { listenRoutes } from './listen.ts'
import { placeRoutes } from './places.ts'
import { reportRoutes } from './reports.ts'
import { type BrowserPage, Router } from './router.ts'
import type { Environment, Phase } from './services.ts'
import { siteListRoutes } from './sites.ts'
import { sourceRoutes } from './sources/sources.ts'
import { storyRoutes } from './sources/stories.ts'
import { statisticsRoutes } from './statistics.ts'
import { healthRoutes, probeRoutes, type ReadStatus, statusRoutes } from './status.ts'
import { streamRoutes } from './stream.ts'
import { taxonomyRoutes } from './taxonomy.ts'
import { tileRoutes } from './tiles.ts'
import { type TipAdmission, tipRoutes } from './tips.ts'
import { trendRoutes } from './trends/trends.ts'
import { watchRoutes } from './watches/routes.ts'
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
  deliveryRoutes(router)
  listenRoutes(router)
  reportRoutes(router)
  deskRoutes(router)
  decisionRoutes(router)
  duplicateRoutes(router)
  extractRoutes(router)
  redactionRoutes(router)
  publisherRoutes(router)
  tipRoutes(router, tips)
  alertRoutes(router)
  gazetteerRoutes(router)
  keyRoutes(router)
  sessionRoutes(router)
  meRoutes(router)
  adminRoutes(router)
  sourceRoutes(router)
  storyRoutes(router)
  answerPreflights(server)
}
