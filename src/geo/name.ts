/** Longer than any name in the gazetteer; what comes after is not looked at, so that a huge input costs nothing. */
const LONGEST = 120

/** Letters of Hausa and others that have no decomposition in Unicode. */
const PLAIN: Readonly<Record<string, string>> = {
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
  ɛ: 'e',
  ɔ: 'o',
  ǝ: 'e',
  ı: 'i',
}

const KIND = /\s(?:state|lga|lgas|local government(?: area)?(?: council)?|l g a|l g)$/

/** Words in lower case and plain letters: `Jema’a L.G.A.` is `jemaa l g a`. */
export function plainWords(text: string): string {
  return plainLetters(text.slice(0, LONGEST).toLowerCase())
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** Most names are ASCII already, and there are thousands of them at the start. */
function plainLetters(text: string): string {
  if (/^[a-z0-9 /.-]*$/.test(text)) return text
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ɓɗƙƴŋɛɔǝı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, '')
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
