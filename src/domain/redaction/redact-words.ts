import { REDACTED } from './redaction.ts'

/** Between the words of a name: a space, a hyphen or, in an address, an escape. */
const SEPARATOR = '(?:[\\s\\p{P}+]|%20)+'
/** Letters that accents are not separated from. */
const HOOKED: Readonly<Record<string, string>> = { b: 'ɓ', d: 'ɗ', k: 'ƙ', y: 'ƴ', n: 'ŋ', e: 'ɛǝ', o: 'ɔ', i: 'ı' }

/** Replaces words in texts and counts what it finds. */
export class WordRedactor {
  /** How often each word was found, in the order of the constructor's words. */
  readonly found: number[]
  readonly #patterns: readonly RegExp[]

  /** The longest first: "Amina Bello" before "Bello". */
  constructor(words: readonly string[]) {
    this.found = words.map(() => 0)
    this.#patterns = words.map(patternOf)
    this.#order = words.map((_, index) => index).sort((one, other) => words[other]!.length - words[one]!.length)
  }

  readonly #order: readonly number[]

  /** Returns the same text if it has none of the words. */
  redactText(text: string): string {
    if (this.#order.length === 0) return text
    // Decomposed, an accent is a character of its own, which the pattern skips.
    let result = text.normalize('NFD')
    let changed = false
    for (const index of this.#order) {
      result = result.replace(this.#patterns[index]!, () => {
        this.found[index]!++
        changed = true
        return REDACTED
      })
    }
    return changed ? result.normalize('NFC') : text
  }

  has(text: string): boolean {
    const plain = text.normalize('NFD')
    return this.#patterns.some((pattern) => plain.search(pattern) >= 0)
  }
}

/** Whether a text has letters or digits enough to be looked for. */
export function isSearchable(word: string): boolean {
  return (word.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2
}

/** Whole words, in any case, with or without accents, however their parts are separated. */
function patternOf(word: string): RegExp {
  const parts = word.normalize('NFD').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const source = parts.map((part) => [...part.replace(/\p{M}/gu, '')].map(letterPattern).join('')).join(SEPARATOR)
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, 'giu')
}

function letterPattern(letter: string): string {
  return `[${letter}${HOOKED[letter.toLowerCase()] ?? ''}]\\p{M}*`
}
