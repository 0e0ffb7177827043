import { foldAccents } from '../../lib/text/fold-accents.ts'

/** Words of any summary: "State" and "LGA" are here, the names of states and LGAs are not. */
const STOP_WORDS = new Set(
  `a about after again all along also among an and another any are area around as at be been before being between both
  but by council did district do during each for from had has have he her his in including into is it its lga local
  government more most near no not of off on one or other others our out over said saying says she since so some state
  than that the their them then there these they this those through to under until up was were when where which while
  who whom will with within would report reported reportedly reports according alleged allegedly suspected several
  people persons person incident night morning evening afternoon day today yesterday monday tuesday wednesday thursday
  friday saturday sunday`.split(/\s+/),
)

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const DIGITS = new Map(NUMBERS.map((word, number) => [word, String(number)]))

const ENDING = /(?:ing|ed|s)$/
const MIN_LENGTH_WITH_ENDING = 5

/**
 * Returns the distinguishing words: lower case, no accents, numbers as digits, common endings
 * removed. Short words stay: Jos, Oyo and Aba are places.
 */
export function significantWords(summary: string): Set<string> {
  const words = foldAccents(summary).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem))
}

function stem(word: string): string {
  return DIGITS.get(word) ?? (word.length < MIN_LENGTH_WITH_ENDING ? word : word.replace(ENDING, ''))
}
