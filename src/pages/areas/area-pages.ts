import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { QueryClient } from '../../api/requests/client.ts'
import { sendBytes } from '../../api/responses/send.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from '../../api/services.ts'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { AREA_PAGES_PATH } from '../../domain/places.ts'
import { sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage, pathInLanguage } from '../page-language.ts'
import { sendStartingPage } from '../starting-page.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import { type AreaFeed, writeAreaFeed } from './area-feed.ts'
import { AreaWriter, type WrittenAreaPage } from './area-writer.ts'
import { AreaCache } from './content/area-cache.ts'
import { type Area, areaCode, areaPath } from './places/area.ts'
import { areasShowing } from './places/areas-showing.ts'
import { findArea } from './places/find-area.ts'
import { unknownAreaPage } from './view/unknown-area.ts'

const FEED_CACHING = { cacheControl: 'no-cache', vary: 'Accept-Encoding' }
const FEED_BYTES = 16 << 20
/** Addresses as people type them; the canonical one is in lower case. */
const PREFIXES = [AREA_PAGES_PATH, '/Nigeria', '/NIGERIA'] as const

interface AreaParameters {
  readonly state?: string
  readonly lga?: string
}
type AreaRequest = FastifyRequest<{ Params: AreaParameters }>

/**
 * Serves the pages of Nigeria, its states and its LGAs, and a feed for each. They need no script.
 */
export function areaPages(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  map: StaticMap,
): void {
  const { clock, geography, publicUrl, queries } = environment
  const { places } = geography
  const writer = new AreaWriter(environment, map)
  const showing = areasShowing(places, writer.neighbours)
  const pages = new AreaCache<WrittenAreaPage>(
    queries,
    showing,
    LANGUAGE_CODES.flatMap((code) => [code, `?${code}`]),
  )
  const feeds = new AreaCache<AreaFeed>(queries, showing, ['atom'], FEED_BYTES)

  const sendAreaPage = async (request: FastifyRequest, reply: FastifyReply, area: Area, language: PageLanguage) => {
    const services = servicesIfReady(currentPhase())
    if (services === null) return sendStartingPage(reply, language)
    const now = clock()
    const form = `${language.inAddress ? '?' : ''}${language.language}`
    const { page } = await pages.getDocument(
      services.archive,
      areaCode(area),
      form,
      now,
      new QueryClient(request, reply),
      (view) => writer.write(services.archive, view, area, language, now),
    )
    return page.send(request, reply)
  }

  const sendFeed = async (request: FastifyRequest, reply: FastifyReply, area: Area) => {
    const { archive } = requireServices(currentPhase(), 'The archive is being loaded.')
    const now = clock()
    const feed = await feeds.getDocument(
      archive,
      areaCode(area),
      'atom',
      now,
      new QueryClient(request, reply),
      (view) => writeAreaFeed(view, area, publicUrl(), now),
    )
    return sendBytes(request, reply, feed.body, feed.contentType, FEED_CACHING)
  }

  /** Finds the area of the address; redirects other spellings and says what is unknown. */
  const answer =
    (ending: '' | '/feed.atom', send: typeof sendAreaPage) => async (request: AreaRequest, reply: FastifyReply) => {
      const { state = null, lga = null } = request.params
      const language = await pageLanguage(request)
      const found = findArea(places, state, lga)
      if (found.kind === 'unknown')
        return sendPage(reply.status(404), unknownAreaPage(found, language), 'Accept-Language')
      const path = areaPath(found.area) + ending
      if (found.kind === 'found' && pathOf(request) === path) return send(request, reply, found.area, language)
      return reply.header('cache-control', 'no-cache').redirect(pathInLanguage(path, language), 301)
    }

  for (const prefix of PREFIXES)
    for (const path of [prefix, `${prefix}/:state`, `${prefix}/:state/:lga`]) {
      server.get(path, answer('', sendAreaPage))
      server.get(`${path}/feed.atom`, answer('/feed.atom', sendFeed))
    }
}

function pathOf({ raw }: FastifyRequest): string {
  return raw.url!.split('?', 1)[0]!
}
