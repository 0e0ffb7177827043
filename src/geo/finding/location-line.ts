import type { Word } from '../../lib/text.ts'
import { PLACE_PREPOSITIONS, PLACE_WORDS, type Span } from './spans.ts'

const ENDS_SENTENCE = /[.;!?\n:|]/
const OTHER_WORDS = /^(?:the|state|states|government|lgas|region|province|nigeria|on|km|kilomet(?:er|re)s?|about|\d+)$/
const MAX_WORDS = 12

/** A sentence of nothing but names and words of places says where, whatever others say of. */
export function isLocationLine(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  const { from, to } = spans[at]!
  let first = from
  while (first > 0 && to - first <= MAX_WORDS && !ENDS_SENTENCE.test(words[first]!.before)) first--
  let last = to
  while (last < words.length && last - first <= MAX_WORDS && !ENDS_SENTENCE.test(words[last]!.before)) last++
  if (last - first > MAX_WORDS) return false
  let index = first
  while (index < last) {
    const span = spans.find((each) => each.from === index)
    if (span) index = span.to
    else if (isOfPlaces(words[index]!)) index++
    else return false
  }
  return true
}

function isOfPlaces({ key }: Word): boolean {
  return PLACE_WORDS.test(key) || PLACE_PREPOSITIONS.test(key) || OTHER_WORDS.test(key)
}
