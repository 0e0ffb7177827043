import { DEFAULT_LANGUAGE, type Language } from '../domain/languages.ts'

/** The address of a page of the service in the language of the message that links it. */
export function pageAddress(publicUrl: string, path: string, language: Language): string {
  return `${publicUrl}${path}${language === DEFAULT_LANGUAGE ? '' : `?lang=${language}`}`
}
