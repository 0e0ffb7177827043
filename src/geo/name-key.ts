import { foldAccents } from '../lib/text/fold-accents.ts'

/** Longer than any name in the gazetteer; what comes after is not looked at, so that a huge input costs nothing. */
const LONGEST = 120

const KIND = /\s(?:state|lga|lgas|local government(?: area)?(?: council)?|l g a|l g)$/

/** Words in lower case and plain letters: `Jema’a L.G.A.` is `jemaa l g a`. */
export function plainWords(text: string): string {
  return foldAccents(text.slice(0, LONGEST).toLowerCase())
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/**
 * What a name is looked up by: spelled alike but for case, accents, apostrophes, hyphens and spaces, without a trailing "State" or "LGA".
 * Empty when nothing of the Latin alphabet is in it.
 */
export function nameKey(text: string): string {
  const words = plainWords(text)
  const bare = words.replace(KIND, '')
  return bare.replaceAll(' ', '')
}
