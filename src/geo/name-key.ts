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
