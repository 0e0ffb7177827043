import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caching, LIVE_FILE } from '../api/caching.ts'
import { asksForPage } from '../api/request.ts'
import { CachedBody, sendBytes } from '../api/response.ts'
import type { Environment } from '../api/services.ts'
import type { MapAssets } from '../api/web-assets.ts'
import { english } from '../i18n/translate.ts'
import { allAreas, areaPath } from './areas/area.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import { type PageLanguage, pageLanguage, pathInLanguage } from './page-language.ts'

const DAY: Caching = { kind: 'files', vary: 'Accept-Encoding' }

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
  // Browsers ask anew each time: a worker that stays the old one would keep old pages.
  const script = serviceWorkerScript(mapAssets)
  serve('/service-worker.js', 'text/javascript; charset=utf-8', () => script, LIVE_FILE)
}

interface SiteFile {
  readonly contentType: string
  readonly content: Buffer
}

const ICON_TYPES: Readonly<Record<string, string>> = {
  'icon.svg': 'image/svg+xml',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
  'apple-touch-icon.png': 'image/png',
  'favicon.ico': 'image/x-icon',
}

/** Icons by path; `scripts/build-icons.ts` draws them. */
function iconFiles(): ReadonlyMap<string, SiteFile> {
  const read = (name: string) => readFileSync(new URL(`site/icons/${name}`, import.meta.url))
  return new Map(
    Object.entries(ICON_TYPES).map(([name, contentType]) => [`/${name}`, { contentType, content: read(name) }]),
  )
}

/** Makes the map installable. */
function webManifest(): string {
  return JSON.stringify({
    id: '/',
    name: english('page.site_name'),
    short_name: english('page.site_name'),
    description: english('page.description'),
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: '#0b6b58',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  })
}

/** The API is not for search engines; everything else is. */
function robotsText(publicUrl: string): string {
  return `User-agent: *\nAllow: /\nDisallow: /v1/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** The pages that stay, beside those of areas; incidents come and go, and their feeds have them. */
const SITEMAP_PATHS = ['/', '/about', '/console', '/docs', '/status'] as const

/** One file: 817 addresses are far below the 50,000 that it may have. */
function sitemapXml(publicUrl: string, areaPaths: readonly string[]): string {
  const address = publicUrl.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const urls = [...SITEMAP_PATHS, ...areaPaths].map((path) => `<url><loc>${address}${path}</loc></url>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`
}

/** `/llms.txt`: the links that an assistant needs, after https://llmstxt.org. */
function llmsText(publicUrl: string): string {
  const link = (path: string, title: string, note: string) => `- [${title}](${publicUrl}${path}): ${note}`
  return `# Incident Feed

> Geocoded security incidents in Nigeria, confirmed by editors: a REST API, signed webhooks, a live stream, an archive and a public map.

Every request of the API has the header \`Authorization: Bearer <key>\`; \`POST /v1/keys\` with \`{"email": "you@example.org"}\` gives one.
Unknown numbers are \`null\`, never 0. Say how sure an incident is: \`confidence\`, \`sources\`, \`location.precision\`. A retracted incident (410) must not be repeated.

## Assistants

${link('/mcp', 'MCP server', 'Model Context Protocol, streamable HTTP, Bearer key; read-only tools search_incidents, get_incident, area_summary, statistics, trends, locate')}

## Documentation

${link('/docs', 'Guides and reference', 'first request, filters, paging, webhooks, streaming, errors')}
${link('/openapi.json', 'OpenAPI', 'every endpoint, parameter, answer and webhook')}

## Optional

${link('/', 'Map', 'the public map, for people')}
${link('/about', 'About', 'where the data comes from and what it leaves out')}
`
}

/** The built worker with the list of the files that it keeps, the page's script first. */
function serviceWorkerScript({ script, preloads, styles, serviceWorker, files }: MapAssets): Buffer {
  const needed = `self.NEEDED_FILES=${JSON.stringify([script, ...preloads, ...styles])};\n`
  return Buffer.concat([Buffer.from(needed), files.get(serviceWorker)!.bytes.identity])
}

/** Answers an unknown path for people; the API's own paths answer with a problem to everybody. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (!asksForPage(request) || request.url.startsWith('/v1/')) return false
  pageLanguage(request).then(
    (language) => send(reply, language),
    (error: Error) => reply.send(error),
  )
  return true
}

function send(reply: FastifyReply, language: PageLanguage): void {
  const t = language.translate
  const body = html`<h1>${t('page.not_found_title')}</h1><p>${t('page.not_found')}</p><p><a href="${pathInLanguage('/', language)}">${t('page.to_the_map')}</a></p>`
  const page = { title: t('page.not_found_title'), description: t('page.not_found'), body, words: language }
  sendPage(reply.status(404), page, 'Accept, Accept-Language, Authorization')
}
