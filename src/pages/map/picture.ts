import type { FastifyInstance } from 'fastify'
import { QueryClient } from '../../api/requests/client.ts'
import { encodingFor } from '../../api/requests/negotiation.ts'
import { queryOf } from '../../api/requests/parameters.ts'
import { type Environment, type Phase, requireServices } from '../../api/services.ts'
import { pageLanguage } from '../page-language.ts'
import { findOverviewMarks } from '../svg-map/overview-marks.ts'
import type { SvgMap } from '../svg-map/svg-map.ts'
import { mapFilterFor } from './newest.ts'
import { PageCache } from './page-cache.ts'

const MAX_BYTES = 4 << 20
const HEADERS = {
  'content-security-policy': "default-src 'none'",
  'content-type': 'image/svg+xml',
  'cache-control': 'no-cache',
  vary: 'Accept-Encoding, Accept-Language',
}

/** Serves the map alone, for a page whose filters have changed before MapLibre is loaded. */
export function pictureRoute(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  svgMap: SvgMap,
): void {
  const { clock, geography, queries } = environment
  const cache = new PageCache(queries, MAX_BYTES)
  server.get('/map.svg', async (request, reply) => {
    const { archive } = requireServices(currentPhase(), 'The archive is being loaded.')
    const query = queryOf(request)
    const language = await pageLanguage(request)
    const key = `${language.language} ${query}`
    const { body } = await cache.getPage(archive, key, clock(), new QueryClient(request, reply), function* (view) {
      const now = clock()
      const address = new URLSearchParams(query)
      const { filter, validUntil } = mapFilterFor(address, geography.places, now)
      const marks = yield* findOverviewMarks(view, filter, now)
      const svg = yield* svgMap.render(marks, address, language)
      return {
        status: 200,
        body: Buffer.from(svg.text),
        stampAt: null,
        validUntil: Math.min(validUntil, marks.validUntil),
      }
    })
    const encoding = encodingFor(request.headers['accept-encoding'], body.body.length)
    reply.headers(HEADERS).header('content-language', language.language)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(await body.encodedAs(encoding))
  })
}
