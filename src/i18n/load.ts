import type { Language } from '../domain/languages.ts'
import { type Area, ENGLISH, type MessageKey } from './english.ts'
import { type Catalogues, type Loaded, translator } from './translator.ts'

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly catalogues: Catalogues<Area> }>>> = {
  en: async () => ({ catalogues: ENGLISH }),
  ha: () => import('./catalogues/ha/catalogue.ts'),
  yo: () => import('./catalogues/yo/catalogue.ts'),
  ig: () => import('./catalogues/ig/catalogue.ts'),
  pcm: () => import('./catalogues/pcm/catalogue.ts'),
}

export type LoadedLanguage = Loaded<MessageKey>

/** Loads every word of a language, as the server needs it; browsers use `browser/load.ts`. */
export async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  const { catalogues } = await LOADERS[language]()
  return {
    language,
    translate: translator(catalogues, ENGLISH, language),
    draft: catalogues.common._status === 'draft',
  }
}
