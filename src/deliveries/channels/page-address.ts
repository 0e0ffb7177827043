import { DEFAULT_LANGUAGE, type Language } from '../../domain/languages.ts'

/** The address of a page of the service in the language of the message that links it. */
export function pageAddress(publicUrl: string, path: string, language: Language): string {
  if (language === DEFAULT_LANGUAGE) return `${publicUrl}${path}`
  return `${publicUrl}${path}${path.includes('?') ? '&' : '?'}lang=${language}`
}
