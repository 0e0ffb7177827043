import { hash } from 'node:crypto'
import { offersAlerts } from '../../api/alerts/ask.ts'
import { IN_STEP_PLACEHOLDER } from '../../api/response.ts'
import type { Environment, Services } from '../../api/services.ts'
import { type Html, html } from '../html.ts'
import { siteHead } from '../page.ts'
import { alternateLinks, languageLinks, type PageLanguage, pathInLanguage } from '../page-language.ts'
import { IMAGE_HEIGHT, IMAGE_WIDTH } from '../preview/frame.ts'
import { SVG_MAP_STYLE } from '../svg-map.ts'

export interface MapDocument {
  readonly status: number
  readonly title: string
  readonly description: string
  /** The canonical path, for search engines. */
  readonly path: string
  readonly preview: LinkPreview
  /** Shown until the scripts have loaded, and without them. */
  readonly body: Html
  /** True if the body has a map beside its list. */
  readonly withMap: boolean
  /** The body of `GET /v1/incidents` for the page's address. */
  readonly list: string
  /** Other JSON texts for the scripts, by name. */
  readonly initialData: Readonly<Record<string, string>>
}

interface PageRequest {
  readonly language: PageLanguage
  /** The query of the address. */
  readonly query: string
  /** True inside a page of another site. */
  readonly embedded: boolean
}

/** The page's bytes, and where the times of `stampFor` are written into them. */
interface DocumentBytes {
  readonly body: Buffer
  readonly stampAt: number
}

const TIMES_PLACEHOLDER = stampOf(IN_STEP_PLACEHOLDER, IN_STEP_PLACEHOLDER)

/** Writes the page that the map's scripts take over; it is readable without them. */
export function writeDocument(
  environment: Environment,
  services: Services,
  document: MapDocument,
  { language, query, embedded }: PageRequest,
): DocumentBytes {
  const { mapAssets, config } = environment
  const publicUrl = environment.publicUrl()
  const { title, description, path, preview, body, withMap, list, initialData } = document
  const address = publicUrl + path
  const t = language.translate
  const name = t('common.name')
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title}</title><meta name="description" content="${description}"><link rel="canonical" href="${pathInLanguage(address, language)}">${alternateLinks(address)}
${linkPreviewTags(preview, { name, title, description }, publicUrl)}
${siteHead()}`
  // At the end of the body: the text is painted before these files have arrived. The scripts apply
  // the style when they replace this page (web/map/page-styles.ts).
  const files = mapAssets
    ? html`${mapAssets.preloads.map((path) => html`<link rel="modulepreload" href="${path}">`)}${mapAssets.styles.map((path) => html`<link rel="preload" as="style" href="${path}">`)}<script type="module" src="${mapAssets.script}"></script>`
        .text
    : ''
  const settings = {
    ...initialData,
    key: json(services.mapKey.text),
    publicUrl: json(publicUrl),
    demo: json(config.DEMO),
    alerts: json(offersAlerts(config)),
    styleUrl: json(config.MAP_STYLE_URL),
    hasLgas: json(environment.geography.lgasGeoJson !== null),
    hasRoads: json(environment.geography.roadsGeoJson !== null),
  }
  const data = Object.entries(settings)
    .map(([name, value]) => `"${name}":${value},`)
    .join('')
  const bar = html`<a class="skip-link" href="#list">${t('page.skip_to_list')}</a><header class="bar"><a class="name" href="${pathInLanguage('/', language)}">${name}</a>${config.DEMO ? html`<span class="pill synthetic">${t('common.synthetic')}</span>` : null}<span class="grow"></span><a class="bar-link" href="${pathInLanguage('/report', language)}">${t('page.report')}</a><a class="bar-link" href="/console">${t('page.for_developers')}</a></header>`
  const languages = embedded ? null : languageLinks(`${path}${withoutLanguage(query)}`)
  const content = html`${body}${languages}`
  const before = `<!doctype html><html lang="${language.language}"${embedded ? ' data-embed' : ''}><head>${head.text}<script>${THEME_SCRIPT}</script><style>${FIRST_STYLE}</style></head><body><div id="app">${bar.text}<main class="plain${withMap ? ' with-map' : ''}">${content.text}</main></div><script type="application/json" id="initial-data">${escapeJson(`{${data}"list":${list.slice(0, list.lastIndexOf(IN_STEP_PLACEHOLDER))}`)}`
  const after = `"}</script>${files}</body></html>`
  return { body: Buffer.from(before + TIMES_PLACEHOLDER + after), stampAt: Buffer.byteLength(before) }
}

/** The list ends with `in_step_at`; the server's clock follows it, so that both are one stamp. */
export function stampOf(inStepAt: string, now: string): string {
  return `${inStepAt}"}},"now":"${now}`
}

function withoutLanguage(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('lang')
  return parameters.size === 0 ? '' : `?${parameters}`
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

function escapeJson(text: string): string {
  return text.replaceAll('<', '\\u003c')
}

/** Parameters that change nothing on the preview image of a view. */
const NOT_IN_IMAGE = ['embed', 'incident', 'layer']

interface LinkPreview {
  /** The path and query that people share. */
  readonly path: string
  /** The path of the image. */
  readonly image: string
}

/** The preview of the map with a query. */
export function viewPreview(query: URLSearchParams): LinkPreview {
  const shown = new URLSearchParams(query)
  for (const name of NOT_IN_IMAGE) shown.delete(name)
  const text = shown.size === 0 ? '' : `?${shown}`
  return { path: `/${text}`, image: `/preview.png${text}` }
}

export function incidentPreview(id: string, language: PageLanguage): LinkPreview {
  const path = `/incidents/${encodeURIComponent(id)}`
  return { path: pathInLanguage(path, language), image: pathInLanguage(`${path}/preview.png`, language) }
}

/** Tags that messengers and social networks show for a link. */
export function linkPreviewTags(
  preview: LinkPreview,
  { name, title, description }: Readonly<Record<'name' | 'title' | 'description', string>>,
  publicUrl: string,
): Html {
  return html`<meta property="og:type" content="website"><meta property="og:site_name" content="${name}"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${publicUrl}${preview.path}"><meta property="og:image" content="${publicUrl}${preview.image}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="${IMAGE_WIDTH}"><meta property="og:image:height" content="${IMAGE_HEIGHT}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image">`
}

/** Runs before the first paint, so that the page does not flash in the other theme. */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}"

/**
 * The style of the server's page, in the page itself: text and map are painted with the first
 * bytes. Colours as in web/shared/tokens.css; the layout is near that of the scripts' page, so that
 * little moves when they take over.
 */
const FIRST_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#14171b);--panel:light-dark(#fff,#1b1f24);--ink:light-dark(#1d2126,#e8eaed);--quiet:light-dark(#5d6570,#9aa4af);--line:light-dark(#dcd8cf,#2c333b);--land:light-dark(#f3f0e8,#20262d);--outside:light-dark(#e4e9ec,#0f1215);--border:light-dark(#b5ae9f,#46505b);--accent:light-dark(#0b6b58,#4fc3a8);--low:light-dark(#6a94b8,#7fa8cc);--medium:light-dark(#d99a1c,#f0b840);--high:light-dark(#d9502a,#ff7a4d);--critical:light-dark(#7d0f33,#ff4d78)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:.9375rem/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
.skip-link{position:absolute;top:-4rem;left:8px;z-index:9;padding:12px 16px;background:var(--panel);color:var(--accent)}
.skip-link:focus{top:4px}
.bar{display:flex;align-items:center;gap:12px;min-height:48px;padding:0 12px 0 16px;background:var(--panel);border-bottom:1px solid var(--line)}
.name{font-weight:600;color:inherit;text-decoration:none;line-height:44px}
.bar-link{color:var(--quiet);text-decoration:none;line-height:44px}
.pill{padding:0 10px;border:1px solid var(--line);border-radius:99px;font-size:.8125rem}
.grow{flex:1}
.plain{max-width:720px;margin:0 auto;padding:12px 16px 64px}
.plain h1{font-size:1.25rem;margin:0 0 4px}
.plain h2{font-size:.9375rem;margin:16px 0 4px}
.plain p{margin:0 0 8px;max-width:68ch}
.plain a{color:var(--accent)}
.quiet{color:var(--quiet);font-size:.8125rem}
.draft{padding:8px 12px;border:1px dashed var(--medium);border-radius:8px;font-size:.8125rem}
.plain dt{color:var(--quiet);font-size:.8125rem}.plain dd{margin:0 0 8px}
.languages a{display:inline-block;padding:12px 12px 12px 0}
.plain-map{margin:0 -16px}
.plain-legend{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 16px;margin:0;padding:8px 16px;list-style:none;font-size:.8125rem}
.plain-legend .mark{margin:0 8px 0 0}
.plain .rows{list-style:none;margin:8px 0 0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.plain .rows li:nth-child(n+9){content-visibility:auto;contain-intrinsic-size:auto 5.5rem}
.plain .rows li+li{border-top:1px solid var(--line)}
.plain .row{display:grid;grid-template-columns:18px 1fr;gap:2px 10px;padding:11px 16px;border:0;color:inherit;text-decoration:none}
.row-meta{grid-column:2;color:var(--quiet);font-size:.8125rem}
.plain .row .mark{margin-top:7px;place-self:start center}
.mark{display:inline-block;flex:none;width:8px;height:8px;border-radius:50%;background:var(--low)}
.mark.low{width:6px;height:6px}.mark.medium{background:var(--medium)}
.mark.high{background:var(--high);box-shadow:0 0 0 1.5px var(--panel),0 0 0 2.7px var(--high)}
.mark.critical{background:var(--critical);box-shadow:0 0 0 1.5px var(--panel),0 0 0 2.7px var(--critical),0 0 0 4.2px var(--panel),0 0 0 5.2px var(--critical)}
#app>.bar{flex-wrap:wrap}@media(max-width:480px){#app>.bar{gap:0 8px}#app>.bar .bar-link{font-size:.8125rem}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.plain-list>p>a{display:inline-block;padding:12px 0}
@media(min-width:900px){.plain.with-map{display:grid;grid-template:auto 1fr/348px minmax(0,1fr);gap:0 32px;max-width:none;padding:12px 16px 32px}
.with-map .plain-head{grid-column:1}.with-map .plain-map{grid-area:1/2/3/3;position:sticky;top:0;align-self:start;margin:-12px -16px 0 0}
.with-map .svg-map{max-height:calc(100vh - 130px)}.with-map .plain-list,.with-map .languages{grid-column:1}}
@media print{:root,:root[data-theme]{color-scheme:light}.skip-link,.bar>:not(.name),.languages{display:none}.mark{print-color-adjust:exact}.row{break-inside:avoid}.plain-map .svg-map{max-height:150mm}}
${SVG_MAP_STYLE}`

const SCRIPT_HASH = hash('sha256', THEME_SCRIPT, 'base64')
const STYLE_HASH = hash('sha256', FIRST_STYLE, 'base64')

/** Content-Security-Policy: the page's own files and those of the operator's map style. */
export function mapPolicy(styleUrl: string | null, embedded: boolean): string {
  const style = styleUrl === null ? '' : ` ${new URL(styleUrl).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${SCRIPT_HASH}'`,
    `style-src 'self' 'sha256-${STYLE_HASH}'`,
    `img-src 'self' data: blob:${style}`,
    `connect-src 'self'${style}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedded ? '*' : "'none'"}`,
  ].join('; ')
}
