import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CACHING, FEED } from '../../api/caching.ts'
import { renderIncidentList } from '../../api/incidents/incidents.ts'
import { QueryClient } from '../../api/request.ts'
import { addStaleSeconds, CachedBody, sendBytes } from '../../api/response.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from '../../api/services.ts'
import type { Archive, ArchiveView } from '../../archive/archive.ts'
import { areaTag } from '../../domain/cache-tags.ts'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { AREA_PAGES_PATH } from '../../domain/places.ts'
import { atomLayout } from '../../formats/atom.ts'
import { english } from '../../i18n/translate.ts'
import type { Steps } from '../../lib/steps.ts'
import { sendPage, sendStartingPage, WrittenPage } from '../page.ts'
import { type PageLanguage, pageLanguage, pathInLanguage } from '../page-language.ts'
import type { StaticMap } from '../static-map.ts'
import {
  type Area,
  areaCode,
  areaFilter,
  areaPath,
  areasShowing,
  findArea,
  findNeighbours,
  type Neighbours,
} from './area.ts'
import { AreaCache, type AreaDocument } from './area-cache.ts'
import { AreaTrends, findAreaContent } from './area-content.ts'
import { AreaMaps } from './area-map.ts'
import { areaPage, areaTitle, placeLists, unknownAreaPage } from './area-page.ts'

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
    addStaleSeconds(reply, services.freshness)
    return page.send(request, reply, tagsOf(area))
  }

  const sendFeed = async (request: FastifyRequest, reply: FastifyReply, area: Area) => {
    const { archive, freshness } = requireServices(currentPhase(), 'The archive is being loaded.')
    const now = clock()
    const feed = await feeds.getDocument(
      archive,
      areaCode(area),
      'atom',
      now,
      new QueryClient(request, reply),
      (view) => writeAreaFeed(view, area, publicUrl(), now),
    )
    addStaleSeconds(reply, freshness)
    return sendBytes(request, reply, feed.body, feed.contentType, { ...FEED, tags: tagsOf(area) })
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
      return reply.header('cache-control', CACHING.checked.shared).redirect(pathInLanguage(path, language), 301)
    }

  for (const prefix of PREFIXES)
    for (const path of [prefix, `${prefix}/:state`, `${prefix}/:state/:lga`]) {
      server.get(path, answer('', sendAreaPage))
      server.get(`${path}/feed.atom`, answer('/feed.atom', sendFeed))
    }
}

/** A redaction may have taken the LGA out: the state of it is known still. */
function tagsOf(area: Area): string[] {
  return [...(area.kind === 'lga' ? [areaTag(area.state.code)] : []), areaTag(areaCode(area))]
}

function pathOf({ raw }: FastifyRequest): string {
  return raw.url!.split('?', 1)[0]!
}

export interface WrittenAreaPage extends AreaDocument {
  readonly page: WrittenPage
}

/** Writes the pages of areas; what all of them share is worked out once. */
export class AreaWriter {
  readonly neighbours: Neighbours
  readonly #environment: Pick<Environment, 'config' | 'geography' | 'publicUrl'>
  readonly #maps: AreaMaps
  readonly #trends = new AreaTrends()

  constructor(environment: Pick<Environment, 'config' | 'geography' | 'publicUrl'>, map: StaticMap) {
    const { geography } = environment
    this.#environment = environment
    this.#maps = new AreaMaps(map, geography)
    this.neighbours = findNeighbours(geography.places, geography.statesGeoJson)
  }

  *write(archive: Archive, view: ArchiveView, area: Area, language: PageLanguage, now: number): Steps<WrittenAreaPage> {
    const { neighbours } = this
    const trends = this.#trends
    const { places } = this.#environment.geography
    const projection = this.#maps.projectionOf(area)
    const content = yield* findAreaContent(archive, view, area, { neighbours, trends, projection, now })
    yield
    const parts = {
      map: this.#maps.draw(area, projection, content, language.translate),
      places: placeLists(area, content, places, neighbours, language),
    }
    yield
    const page = new WrittenPage(areaPage(area, content, parts, language, this.#environment))
    return { page, size: page.size, validUntil: content.validUntil }
  }
}

const ENTRIES = 50

interface AreaFeed extends AreaDocument {
  readonly body: CachedBody
  readonly contentType: string
}

/** Writes the newest incidents of an area as Atom. */
function* writeAreaFeed(view: ArchiveView, area: Area, publicUrl: string, now: number): Steps<AreaFeed> {
  const address = publicUrl + areaPath(area)
  const layout = atomLayout({
    publicUrl,
    self: `${address}/feed.atom`,
    title: english('areas.heading', { place: areaTitle(area, english) }),
    page: address,
    updatedAt: view.head.at,
  })
  const listing = {
    filter: areaFilter(area),
    order: 'newest',
    limit: ENTRIES,
    cursor: null,
    format: null,
    fields: null,
  } as const
  const { body, validUntil } = yield* renderIncidentList(view, listing, now, layout)
  const cached = new CachedBody(body)
  return { body: cached, contentType: layout.contentType, size: cached.size, validUntil }
}
