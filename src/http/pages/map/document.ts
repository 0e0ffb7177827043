import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress, encodingFor } from '../../requests/encoding.ts'
import { queryOf } from '../../requests/parameters.ts'
import type { Environment, Services } from '../../services.ts'
import { type Html, html } from '../html.ts'
import { STYLE } from '../style.ts'
import { mapPolicy, THEME_SCRIPT } from './policy.ts'

export interface MapDocument {
  readonly status: number
  readonly title: string
  readonly description: string
  /** The canonical path, for search engines. */
  readonly path: string
  /** Shown until the scripts have loaded, and without them. */
  readonly body: Html
  /** JSON texts for the scripts, by name. */
  readonly initialData: Readonly<Record<string, string>>
}

/** Sends the page that the map's scripts take over; it is readable without them. */
export async function sendMapDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  services: Services,
  document: MapDocument,
): Promise<FastifyReply> {
  const embedded = new URLSearchParams(queryOf(request)).get('embed') === '1'
  const page = Buffer.from(render(environment, services, document, embedded))
  reply.status(document.status).headers({
    'content-security-policy': mapPolicy(environment.config.MAP_STYLE_URL, embedded),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding, Authorization',
  })
  const encoding = encodingFor(request.headers['accept-encoding'], page.length)
  if (encoding === 'identity') return reply.send(page)
  return reply.header('content-encoding', encoding).send(await compress(page, encoding))
}

function render(environment: Environment, services: Services, document: MapDocument, embedded: boolean): string {
  const { mapAssets, config } = environment
  const publicUrl = environment.publicUrl()
  const { title, description, path, body, initialData } = document
  const address = publicUrl + path
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title}</title><meta name="description" content="${description}"><link rel="canonical" href="${address}">
<meta property="og:type" content="website"><meta property="og:site_name" content="Incident Feed"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${address}"><meta name="twitter:card" content="summary">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1b1f24"><link rel="icon" href="data:,">`
  const files = mapAssets
    ? html`${mapAssets.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}<script type="module" src="${mapAssets.script}"></script>`
        .text
    : `<style>${STYLE}</style>`
  const settings = {
    ...initialData,
    key: json(services.mapKey.text),
    publicUrl: json(publicUrl),
    demo: json(config.DEMO),
    styleUrl: json(config.MAP_STYLE_URL),
    hasLgas: json(environment.geography.lgasGeoJson !== null),
    now: json(environment.clock()),
  }
  const data = `{${Object.entries(settings)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`
  const bar = html`<header class="bar"><a class="name" href="/">Incident Feed</a>${config.DEMO ? html`<span class="pill synthetic">Synthetic data</span>` : null}<span class="grow"></span><a class="bar-link" href="/docs">For developers</a></header>`
  return `<!doctype html><html lang="en"${embedded ? ' data-embed' : ''}><head>${head.text}<script>${THEME_SCRIPT}</script>${files}</head><body><div id="app">${bar.text}<main class="plain">${body.text}</main></div><script type="application/json" id="initial-data">${data.replaceAll('<', '\\u003c')}</script></body></html>`
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}
