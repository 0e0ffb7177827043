import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caching, LIVE_BY_LANGUAGE } from '../../api/caching.ts'
import { QueryClient, queryOf } from '../../api/request.ts'
import { addStaleSeconds, CachedBody, etagOf, hashOf, sendBytes } from '../../api/response.ts'
import type { Environment, Services } from '../../api/services.ts'
import type { Archive, ArchiveView } from '../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'
import { isCurrent, type Timed } from '../../lib/time.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'
import { type MapDocument, mapPolicy, stampOf, writeDocument } from './document.ts'

export type DocumentSteps = (
  view: ArchiveView,
  address: URLSearchParams,
  language: PageLanguage,
) => Steps<{ readonly document: MapDocument; readonly validUntil: number }>

/** Pages that the map's scripts take over, cached by language and address. */
export class MapPages {
  readonly #environment: Environment
  readonly #cache: PageCache

  constructor(environment: Environment) {
    this.#environment = environment
    this.#cache = new PageCache(environment.queries)
  }

  /** `path` is the page's own; the query of the request belongs to its address. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    services: Services,
    path: string,
    steps: DocumentSteps,
    caching: Caching = LIVE_BY_LANGUAGE,
  ): Promise<FastifyReply> {
    const environment = this.#environment
    const query = queryOf(request)
    const address = new URLSearchParams(query)
    const embedded = address.get('embed') === '1'
    const language = await pageLanguage(request)
    const now = environment.clock()
    const { archive, freshness, mapKey } = services
    const page = await this.#cache.getPage(
      archive,
      `${language.language} ${mapKey.text} ${path}?${query}`,
      now,
      new QueryClient(request, reply),
      function* (view) {
        const { document, validUntil } = yield* steps(view, address, language)
        const bytes = writeDocument(environment, services, document, { language, query, embedded })
        return { status: document.status, validUntil, ...bytes }
      },
    )
    // Rounded: within a second, nothing has to be copied.
    const seconds = new Date(now - (now % 1000)).toISOString()
    page.body.stamp(stampOf(freshness.stamp, seconds))
    const policy = mapPolicy(environment.config.MAP_STYLE_URL, embedded)
    reply.status(page.status).headers({
      'content-security-policy': policy,
      'content-language': language.language,
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
    addStaleSeconds(reply, freshness)
    return sendBytes(request, reply, page.body, 'text/html; charset=utf-8', caching)
  }
}

const MAX_BYTES = 16 << 20
/** Estimated memory of an entry besides its key and its bytes. */
const ENTRY_BYTES = 300
/** Pages say how old incidents are, to the minute. */
const MAX_AGE_MS = 60_000

interface RenderedPage {
  readonly status: number
  readonly body: Buffer
  /** The position of the times that are stamped when the page is sent; null if it has none. */
  readonly stampAt: number | null
  /** Without new events the page is the same until then. */
  readonly validUntil: number
}

interface CachedPage extends Timed {
  readonly status: number
  readonly body: CachedBody
}

/** Keeps pages by address until the next event, for a minute at most. */
export class PageCache {
  readonly #queries: SlicedQueries
  readonly #pages: BoundedCache<string, CachedPage>
  readonly #rendering = new SharedRuns<CachedPage>()
  #archive: Archive | null = null
  #seq = -1

  constructor(queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#queries = queries
    this.#pages = new BoundedCache(maxBytes, ({ body }, key) => ENTRY_BYTES + 2 * key.length + body.size)
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#pages.size
  }

  /** `render` may be called again after a wait, on a later view. */
  getPage(
    archive: Archive,
    key: string,
    now: number,
    asker: Asker,
    render: (view: ArchiveView) => Steps<RenderedPage>,
  ): CachedPage | Promise<CachedPage> {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const known = this.#pages.get(key)
    if (known !== undefined && isCurrent(known, now)) return known
    const withSeq = function* (view: ArchiveView) {
      return { seq: view.head.seq, rendered: yield* render(view) }
    }
    const toCached = ({ seq, rendered }: { seq: number; rendered: RenderedPage }): CachedPage => {
      const { status, body, stampAt } = rendered
      const validUntil = Math.min(rendered.validUntil, now + MAX_AGE_MS)
      // With the minute: a browser's copy must not be valid for longer than the times in it.
      const etag = etagOf(`${Math.floor(now / MAX_AGE_MS)} ${hashOf(body)}`)
      const page = { status, body: new CachedBody(body, etag, stampAt), madeAt: now, validUntil }
      if (seq === this.#seq && archive === this.#archive) this.#pages.set(key, page)
      return page
    }
    return this.#rendering.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const found = this.#queries.run(archive, { subject: asker.subject, signal }, withSeq)
        return found instanceof Promise ? found.then(toCached) : toCached(found)
      },
    )
  }

  #clear(archive: Archive): void {
    this.#pages.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}
