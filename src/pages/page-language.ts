import type { FastifyRequest } from 'fastify'
import { languageInAddress, requestLanguage } from '../api/requests/negotiation.ts'
import type { Language } from '../domain/languages.ts'
import { type LoadedLanguage, loadLanguage } from '../i18n/load.ts'

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
