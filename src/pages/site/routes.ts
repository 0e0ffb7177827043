import type { FastifyInstance } from 'fastify'
import { CachedBody } from '../../api/responses/cached-body.ts'
import { type Caching, sendBytes } from '../../api/responses/send.ts'
import type { Environment } from '../../api/services.ts'
import { allAreas, areaPath } from '../areas/places/area.ts'
import { iconFiles, robotsText, sitemapXml, webManifest } from './files.ts'
import { llmsText } from './llms.ts'
import { serviceWorkerScript } from './service-worker.ts'

const DAY: Caching = { cacheControl: 'public, max-age=86400', vary: 'Accept-Encoding' }
const NOW: Caching = { cacheControl: 'no-cache', vary: 'Accept-Encoding' }

/**
 * The small files of a web site: icons, manifest, service worker, robots.txt, llms.txt and sitemap.
 */
export function siteRoutes(server: FastifyInstance, { geography, publicUrl, mapAssets }: Environment): void {
  const serve = (path: string, contentType: string, content: () => Buffer, caching: Caching) => {
    let body: CachedBody | null = null
    server.get(path, (request, reply) => {
      // Made at the first request: the public address is known only once the server listens.
      body ??= new CachedBody(content())
      return sendBytes(request, reply, body, contentType, caching)
    })
  }
  for (const [path, { contentType, content }] of iconFiles()) serve(path, contentType, () => content, DAY)
  serve('/manifest.webmanifest', 'application/manifest+json', () => Buffer.from(webManifest()), DAY)
  serve('/robots.txt', 'text/plain; charset=utf-8', () => Buffer.from(robotsText(publicUrl())), DAY)
  serve('/llms.txt', 'text/plain; charset=utf-8', () => Buffer.from(llmsText(publicUrl())), DAY)
  const sitemap = () => Buffer.from(sitemapXml(publicUrl(), allAreas(geography.places).map(areaPath)))
  serve('/sitemap.xml', 'application/xml; charset=utf-8', sitemap, DAY)
  if (mapAssets === null) return
  // Asked for anew each time: a worker that stays the old one would keep old pages.
  const script = serviceWorkerScript(mapAssets)
  serve('/service-worker.js', 'text/javascript; charset=utf-8', () => script, NOW)
}
