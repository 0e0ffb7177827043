import type { FastifyReply, FastifyRequest } from 'fastify'
import { QueryClient } from '../../api/requests/client.ts'
import { encodingFor } from '../../api/requests/negotiation.ts'
import { queryOf } from '../../api/requests/parameters.ts'
import type { Environment, Services } from '../../api/services.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Steps } from '../../lib/steps.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'
import { type MapDocument, stampOf, writeDocument } from './document.ts'
import { type CachedPage, PageCache } from './page-cache.ts'
import { mapPolicy } from './policy.ts'

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
    vary = 'Accept-Encoding, Accept-Language',
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
    return sendBody(request, reply, page, {
      'content-security-policy': policy,
      'content-language': language.language,
      vary,
    })
  }
}

async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: CachedPage,
  headers: Readonly<Record<'content-security-policy' | 'content-language' | 'vary', string>>,
): Promise<FastifyReply> {
  // Without an ETag: a page that is valid still needs the server's clock of now.
  reply.status(status).headers({
    ...headers,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  })
  const encoding = encodingFor(request.headers['accept-encoding'], body.body.length)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await body.encodedAs(encoding))
}
