import { LANGUAGE_CODES, LANGUAGES, type Language } from '../domain/languages.ts'
import type { LoadedLanguage } from '../i18n/load.ts'
import { type Html, html } from './html.ts'

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
