import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findPublicSlot } from '../../api/incidents/find.ts'
import { QueryClient } from '../../api/requests/client.ts'
import { languageInAddress } from '../../api/requests/negotiation.ts'
import { queryOf } from '../../api/requests/parameters.ts'
import type { CachedBody } from '../../api/responses/cached-body.ts'
import { matchesEtag } from '../../api/responses/send.ts'
import { type Environment, type Phase, requireServices } from '../../api/services.ts'
import type { Incident } from '../../domain/incident.ts'
import { DEFAULT_LANGUAGE } from '../../domain/languages.ts'
import { type LoadedLanguage, loadLanguage } from '../../i18n/load.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import { Previews } from './previews.ts'

/** A correction shows in the images of others within five minutes. */
const CACHE_CONTROL = 'public, max-age=300'

export function previewRoutes(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  map: StaticMap,
): void {
  const previews = new Previews(environment, map)

  server.get('/incidents/:id/preview.png', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { archive } = requireServices(currentPhase())
    const slot = findPublicSlot(archive, request.params.id)
    const incident = JSON.parse(Buffer.from(archive.documentOf(slot)).toString()) as Incident
    const image = await previews.ofIncident(incident, await words(request), new QueryClient(request, reply))
    return sendImage(request, reply, image)
  })

  server.get('/preview.png', async (request, reply) => {
    const services = requireServices(currentPhase())
    const address = new URLSearchParams(queryOf(request))
    const image = await previews.ofView(services, address, await words(request), new QueryClient(request, reply))
    return sendImage(request, reply, image)
  })
}

/** Only by `?lang=`: the programs that fetch previews do not speak for their readers. */
function words(request: FastifyRequest): Promise<LoadedLanguage> {
  return loadLanguage(languageInAddress(request) ?? DEFAULT_LANGUAGE)
}

/** Without `Content-Encoding`: a PNG is compressed already. */
function sendImage(request: FastifyRequest, reply: FastifyReply, { body, etag }: CachedBody): FastifyReply {
  reply.headers({ etag, 'cache-control': CACHE_CONTROL })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.header('content-type', 'image/png').send(body)
}
