import { foldedWords } from './text.ts'

/*
 * A term is a folded word, which has to begin a word of the text; or a phrase, folded words between
 * quotation marks, which have to be whole words of the text, side by side.
 */

/** As programs set them that correct what is typed, too. */
const QUOTATION_MARK = /["“”„]/
/** Not behind a word, or within one. */
const MISPLACED_STAR = /(?<![\p{L}\p{N}\p{M}])\*|\*(?=[\p{L}\p{N}*])/u

/** Parses what somebody searches for: terms, sorted and each once; or says what is wrong. */
export function parseTerms(text: string): { readonly terms: readonly string[] } | { readonly fault: string } {
  const parts = text.split(QUOTATION_MARK)
  if (parts.length % 2 === 0) return { fault: 'has a quotation mark without its counterpart' }
  const terms = new Set<string>()
  for (const [index, part] of parts.entries()) {
    const words = foldedWords(part)
    const isPhrase = index % 2 === 1
    if (isPhrase && part.includes('*')) return { fault: 'has a * in a phrase; it may only end a word without quotes' }
    if (isPhrase && words.length === 0) return { fault: 'has quotation marks without a word between them' }
    if (MISPLACED_STAR.test(part)) return { fault: 'has a * that does not end a word' }
    if (isPhrase) terms.add(`"${words.join(' ')}"`)
    else for (const word of words) terms.add(word)
  }
  return terms.size === 0 ? { fault: 'has no letter and no digit' } : { terms: [...terms].sort() }
}

/** The words of a phrase; null for a word. */
export function phraseWords(term: string): readonly string[] | null {
  return term.startsWith('"') ? term.slice(1, -1).split(' ') : null
}

/** The text that is found among folded words with a space before and after each. */
export function foundAs(term: string): string {
  const words = phraseWords(term)
  return words === null ? ` ${term}` : ` ${words.join(' ')} `
}
