import type { FastifyRequest } from 'fastify'
import { queryOf } from '../api/request.ts'
import { isLanguage, LANGUAGE_CODES, LANGUAGES, type Language, preferredLanguage } from '../domain/languages.ts'
import { type LoadedLanguage, loadLanguage } from '../i18n/translate.ts'
import { type Html, html } from './html.ts'

/** The language of a page. */
export interface PageLanguage extends LoadedLanguage {
  /** True if the address names it: the page's links then do, too. */
  readonly inAddress: boolean
}

/** Each language once: its plural rules take longer to make than most pages. */
const loaded = new Map<Language, Promise<LoadedLanguage>>()

export async function pageLanguage(request: FastifyRequest): Promise<PageLanguage> {
  const language = requestLanguage(request)
  const loading = loaded.get(language) ?? loadLanguage(language)
  loaded.set(language, loading)
  return { ...(await loading), inAddress: languageInAddress(request) === language }
}

/** Names the language in a path without a query, where the page's own address does. */
export function pathInLanguage(path: string, { language, inAddress }: PageLanguage): string {
  return inAddress ? `${path}?lang=${language}` : path
}

/** For search engines: the page at `address` in each language. */
export function alternateLinks(address: string): Html[] {
  return LANGUAGE_CODES.map(
    (code) => html`<link rel="alternate" hreflang="${code}" href="${inLanguage(address, code)}">`,
  )
}

/** For readers: the page at `address` in each language, by the language's own name. */
export function languageLinks(address: string): Html {
  const links = LANGUAGE_CODES.map(
    (code) => html`<a href="${inLanguage(address, code)}" hreflang="${code}" lang="${code}">${LANGUAGES[code]}</a> `,
  )
  return html`<p class="languages">${links}</p>`
}

/** Says of a translation that no speaker has reviewed it. */
export function draftNote({ draft, translate }: LoadedLanguage): Html | null {
  return draft ? html`<p class="draft">${translate('common.draft')}</p>` : null
}

/** `address` has no `lang=` yet. */
function inLanguage(address: string, code: Language): string {
  return `${address}${address.includes('?') ? '&' : '?'}lang=${code}`
}

/** More preferences than any browser sends; the rest is not read. */
const MAX_PREFERENCES = 20

/** The language of a page: `?lang=ha`, else the first of `Accept-Language` that we have. */
export function requestLanguage(request: FastifyRequest): Language {
  return languageInAddress(request) ?? preferredLanguage(acceptedLanguages(request.headers['accept-language'] ?? ''))
}

/** Null if the address names none that we have. */
export function languageInAddress(request: FastifyRequest): Language | null {
  const asked = new URLSearchParams(queryOf(request)).get('lang')
  return isLanguage(asked) ? asked : null
}

/** Returns `['ha-NG', 'en']` for `en;q=0.5, ha-NG`. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((part) => {
      const [tag, ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag!.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
