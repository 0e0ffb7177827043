import { readFileSync } from 'node:fs'
import { english } from '../../i18n/english.ts'

export interface SiteFile {
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
export function iconFiles(): ReadonlyMap<string, SiteFile> {
  const read = (name: string) => readFileSync(new URL(`icons/${name}`, import.meta.url))
  return new Map(
    Object.entries(ICON_TYPES).map(([name, contentType]) => [`/${name}`, { contentType, content: read(name) }]),
  )
}

/** Makes the map installable. */
export function webManifest(): string {
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
export function robotsText(publicUrl: string): string {
  return `User-agent: *\nAllow: /\nDisallow: /v1/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** The pages that stay, beside those of areas; incidents come and go, and their feeds have them. */
const SITEMAP_PATHS = ['/', '/about', '/console', '/docs', '/status'] as const

/** One file: 817 addresses are far below the 50,000 that it may have. */
export function sitemapXml(publicUrl: string, areaPaths: readonly string[]): string {
  const address = publicUrl.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const urls = [...SITEMAP_PATHS, ...areaPaths].map((path) => `<url><loc>${address}${path}</loc></url>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`
}
