import { DEFAULT_LANGUAGE, isLanguage, type Language, preferredLanguage } from '../../src/domain/languages.ts'
import { type BrowserTranslate, browserEnglish, type LoadedInBrowser, loadInBrowser } from '../../src/i18n/translate.ts'

const STORED = 'language'

let loaded: LoadedInBrowser = { language: 'en', translate: browserEnglish, draft: false }

/** Returns a sentence in the reader's language; call `startLanguage` first. */
export const t: BrowserTranslate = (key, values) => loaded.translate(key, values)

export function currentLanguage(): Pick<LoadedInBrowser, 'language' | 'draft'> {
  return loaded
}

/** The path of a page of the server in the reader's language, which only this browser remembers. */
export function inLanguage(path: string): string {
  return loaded.language === DEFAULT_LANGUAGE ? path : `${path}?lang=${loaded.language}`
}

/**
 * Loads the language that the address names (`?lang=ha`), else the one chosen earlier, else the
 * browser's. A language that cannot be loaded leaves English.
 */
export async function startLanguage(): Promise<void> {
  const inAddress = new URLSearchParams(location.search).get('lang')
  const stored = localStorage.getItem(STORED)
  const language = [inAddress, stored].find(isLanguage) ?? preferredLanguage(navigator.languages)
  try {
    loaded = await loadInBrowser(language)
  } catch (error) {
    console.warn(`The language ${language} cannot be loaded; English is shown:`, error)
  }
  // Setting it has the browser style the whole page again, even if it is the same.
  if (document.documentElement.lang !== loaded.language) document.documentElement.lang = loaded.language
}

/** Remembers the choice and loads the page again in that language. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  const address = new URL(location.href)
  address.searchParams.delete('lang')
  location.replace(address)
}
