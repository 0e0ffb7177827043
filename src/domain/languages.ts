/** The languages of the interface, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  ha: 'Hausa',
  yo: 'Yorùbá',
  ig: 'Igbo',
  pcm: 'Naijá (Pidgin)',
} as const

export type Language = keyof typeof LANGUAGES

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]
export const DEFAULT_LANGUAGE: Language = 'en'

export function isLanguage(text: string | null | undefined): text is Language {
  return text != null && Object.hasOwn(LANGUAGES, text)
}

/** Returns the first language that we have among those that a reader prefers, such as `ha-NG`. */
export function preferredLanguage(preferences: readonly string[]): Language {
  for (const preference of preferences) {
    const [code] = preference.trim().toLowerCase().split('-')
    if (isLanguage(code)) return code
  }
  return DEFAULT_LANGUAGE
}
