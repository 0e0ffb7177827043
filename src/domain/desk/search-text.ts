import { foldedWords } from '../../lib/text/folded-words.ts'
import type { Incident } from '../incident.ts'

const MAX_SEARCHED = 4_000

/** Folded words, each after one space, so that `' gon'` is found where a word begins with it. */
export function searchText({ summary, state, lga, location, sources }: Incident): string {
  const texts = [summary, location.place, lga, state, ...sources.flatMap(({ publisher, url }) => [publisher, url])]
  const text = ` ${foldedWords(texts.filter((each) => each !== null).join(' ')).join(' ')}`
  // Cut between words: half of a surrogate pair cannot be stored.
  return text.length <= MAX_SEARCHED ? text : text.slice(0, text.lastIndexOf(' ', MAX_SEARCHED))
}
