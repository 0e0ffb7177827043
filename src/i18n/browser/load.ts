import type { Language } from '../../domain/languages.ts'
import { type Catalogues, type Loaded, translator } from '../translator.ts'
import { BROWSER_ENGLISH, type BrowserArea, type BrowserKey } from './english.ts'

/** Each language is loaded only if it is used: a phone reads one. */
const LOADERS: Readonly<Record<Language, () => Promise<{ readonly browserCatalogues: Catalogues<BrowserArea> }>>> = {
  en: async () => ({ browserCatalogues: BROWSER_ENGLISH }),
  ha: () => import('../catalogues/ha/browser.ts'),
  yo: () => import('../catalogues/yo/browser.ts'),
  ig: () => import('../catalogues/ig/browser.ts'),
  pcm: () => import('../catalogues/pcm/browser.ts'),
}

export type LoadedInBrowser = Loaded<BrowserKey>

export async function loadInBrowser(language: Language): Promise<LoadedInBrowser> {
  const { browserCatalogues: catalogues } = await LOADERS[language]()
  return {
    language,
    translate: translator(catalogues, BROWSER_ENGLISH, language),
    draft: catalogues.common._status === 'draft',
  }
}
