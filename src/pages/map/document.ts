import { offersAlerts } from '../../api/alerts/ask.ts'
import { IN_STEP_PLACEHOLDER } from '../../api/responses/cached-body.ts'
import type { Environment, Services } from '../../api/services.ts'
import { type Html, html } from '../html.ts'
import { alternateLinks, languageLinks } from '../language-links.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import { siteHead } from '../site/head.ts'
import { FIRST_STYLE } from './first-style.ts'
import { type LinkPreview, linkPreviewTags } from './link-preview.ts'
import { THEME_SCRIPT } from './policy.ts'

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

export interface PageRequest {
  readonly language: PageLanguage
  /** The query of the address. */
  readonly query: string
  /** True inside a page of another site. */
  readonly embedded: boolean
}

/** The page's bytes, and where the times of `stampFor` are written into them. */
export interface DocumentBytes {
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
