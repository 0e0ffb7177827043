/** Title, place in the documents, address, and further words that lead to it. */
export type SearchEntry = readonly [title: string, place: string, address: string, words: string]

const MOST_RESULTS = 12

/** The best entries for a question first. Every word of it must begin a word of the entry. */
export function rank(entries: readonly SearchEntry[], question: string): readonly SearchEntry[] {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry)
}

/** 0 if a word is missing. A title counts more than a place, a place more than the other words. */
function score([title, place, , more]: SearchEntry, words: readonly string[]): number {
  const parts = [
    { text: ` ${wordsOf(title).join(' ')} `, weight: 8 },
    { text: ` ${wordsOf(place).join(' ')} `, weight: 3 },
    { text: ` ${more.toLowerCase()} `, weight: 1 },
  ]
  let sum = 0
  for (const word of words) {
    const best = Math.max(
      ...parts.map(({ text, weight }) =>
        text.includes(` ${word} `) ? weight * 1.5 : text.includes(` ${word}`) ? weight : 0,
      ),
    )
    if (best === 0) return 0
    sum += best
  }
  return sum / wordsOf(title).length ** 0.25
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
