import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../../domain/languages.ts'

/*
 * The secret of a watch for people says where its messages go, and in which language they are. The
 * language is there and not in a column of its own: it says something about a person, and goes with
 * the address.
 */

/**
 * Of a channel whose address is one text. English has the address alone, as before there were
 * languages.
 */
export function targetText(address: string, language: Language): string {
  return language === DEFAULT_LANGUAGE ? address : JSON.stringify({ address, language })
}

/** The same target with another language; the address stays. */
export function inLanguage(target: string, language: Language): string {
  if (!target.startsWith('{')) return targetText(target, language)
  return JSON.stringify({ ...(JSON.parse(target) as object), language })
}

/** The address in a text that `targetText` wrote. */
export function addressIn(target: string): string {
  return target.startsWith('{') ? (JSON.parse(target) as { address: string }).address : target
}

/** The language of the messages, whatever the channel. */
export function languageIn(target: string): Language {
  if (!target.startsWith('{')) return DEFAULT_LANGUAGE
  const { language } = JSON.parse(target) as { language?: string }
  return isLanguage(language) ? language : DEFAULT_LANGUAGE
}
