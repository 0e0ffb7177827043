import { ENGLISH } from './english.ts'
import type { Language } from './languages.ts'
import { type Catalogues, type Translate, translator } from './translate.ts'

/** Each language is loaded only if it is used: a phone reads one. */
const LOADERS: Readonly<Record<Language, () => Promise<{ readonly catalogues: Catalogues }>>> = {
  en: async () => ({ catalogues: ENGLISH }),
  ha: () => import('./catalogues/ha/catalogue.ts'),
  yo: () => import('./catalogues/yo/catalogue.ts'),
  ig: () => import('./catalogues/ig/catalogue.ts'),
  pcm: () => import('./catalogues/pcm/catalogue.ts'),
}

export interface LoadedLanguage {
  readonly language: Language
  readonly translate: Translate
  /** True if no speaker has reviewed the translation. */
  readonly draft: boolean
}

export async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  const { catalogues } = await LOADERS[language]()
  return { language, translate: translator(catalogues, language), draft: catalogues.common._status === 'draft' }
}
