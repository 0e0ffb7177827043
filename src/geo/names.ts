import { editDistance } from '../lib/similar-names.ts'
import { foldAccents } from '../lib/text.ts'

/** Exceeds every name in the gazetteer; the rest is ignored, so that a huge input costs nothing. */
const MAX_LENGTH = 120

const TRAILING_KIND = /\s(?:state|lga|lgas|local government(?: area)?(?: council)?|l g a|l g)$/

/** Lower-case words without accents: `Jema’a L.G.A.` becomes `jemaa l g a`. */
export function plainWords(text: string): string {
  return foldAccents(text.slice(0, MAX_LENGTH).toLowerCase())
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/**
 * Lookup key of a name: ignores case, accents, apostrophes, hyphens, spaces and a trailing "State"
 * or "LGA". Empty where the name has no letter or digit of the Latin alphabet.
 */
export function nameKey(text: string): string {
  const words = plainWords(text)
  const bare = words.replace(TRAILING_KIND, '')
  return bare.replaceAll(' ', '')
}

/** Spellings that newspapers use for the same sound, in the order in which they are replaced. */
const SOUNDS: readonly (readonly [spelling: RegExp, sound: string])[] = [
  [/dj/g, 'j'],
  [/ph/g, 'f'],
  [/kh|ck|q|cq/g, 'k'],
  [/ou|oo|w(?=u)/g, 'u'],
  [/(?<=[bcdfghjklmnpqrstvwxz])h(?=[aeiou]|$)/g, ''],
  [/h$/g, ''],
  [/ie|ei|ee|y(?![aeiou])/g, 'i'],
  [/ai|ae/g, 'e'],
  [/(.)\1+/g, '$1'],
]

/**
 * A key that spellings of one name share: `Benishiek` and `Benisheik`, `Gamborou` and `Gamboru`.
 */
export function soundKey(key: string): string {
  return SOUNDS.reduce((sound, [spelling, replacement]) => sound.replace(spelling, replacement), key)
}

/** One edit per five letters: with more, every word would match. */
const LETTERS_PER_EDIT = 5
const MAX_EDITS = 2

/** A name and its sound, worked out once: a search compares a name with thousands. */
export interface SoundedName {
  readonly key: string
  readonly sound: string
}

export function sounded(key: string): SoundedName {
  return { key, sound: soundKey(key) }
}

/** Edits between two names, 0.5 for the same sound; null where they are not similar. */
export function nameDistance(one: SoundedName, other: SoundedName): number | null {
  if (one.key === other.key) return 0
  if (one.key.length >= 4 && one.sound === other.sound) return 0.5
  const limit = Math.min(MAX_EDITS, Math.floor(one.key.length / LETTERS_PER_EDIT))
  if (limit === 0) return null
  const distance = editDistance(one.key, other.key, limit)
  return distance <= limit ? distance : null
}
