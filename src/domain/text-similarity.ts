import { editDistance } from '../lib/similar-names.ts'
import { foldAccents } from '../lib/text.ts'

/** Say nothing about which place: "Dansadau village, near Maru" is "Dansadau Maru". */
const GENERIC =
  /\b(?:town|village|city|community|area|ward|district|lga|local government|state|camp|near|around|outside|the|of|in)\b/g
const MIN_LENGTH = 3
/** One letter in four may differ: Gidan Kwano, Gidan Kwanno. */
const LETTERS_FOR_ONE_EDIT = 4

type NameFinding = 'same' | 'similar' | 'in_text' | 'different'

/** A place by name, and a text that may name it. */
export interface NamedPlace {
  /**
   * Letters and digits only: "Gonin-Gora" and "Gonin Gora" are "goningora"; '' if there is no name.
   */
  readonly name: string
  /** Whether the name is also that of the LGA or state, which any text about the area contains. */
  readonly isArea: boolean
  /**
   * The summary in the same form, with the ends of words marked, so that "Jos" is not in "Joseph".
   */
  readonly text: string
}

export function namedPlace(place: string | null, summary: string, areas: readonly string[]): NamedPlace {
  const name = lettersOf(place ?? '')
  return { name, isArea: areas.some((area) => lettersOf(area) === name), text: markedLetters(summary) }
}

/** Null if at least one has no name and the other's text does not name it. */
export function compareNames(one: NamedPlace, other: NamedPlace): NameFinding | null {
  if (one.name !== '' && other.name !== '') {
    if (one.name === other.name) return 'same'
    if (areSimilar(one.name, other.name)) return 'similar'
  }
  if (tells(one, other) || tells(other, one)) return 'in_text'
  return one.name !== '' && other.name !== '' ? 'different' : null
}

function lettersOf(text: string): string {
  return foldAccents(text)
    .replace(GENERIC, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** "Bandits at Gonin-Gora" is "|bandits|at|gonin|gora|". */
function markedLetters(text: string): string {
  return `|${(foldAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []).join('|')}|`
}

function areSimilar(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  if (shorter.length < MIN_LENGTH) return false
  const edits = Math.floor(shorter.length / LETTERS_FOR_ONE_EDIT)
  return longer.startsWith(shorter) || (edits > 0 && editDistance(one, other, edits) <= edits)
}

function tells({ text }: NamedPlace, { name, isArea }: NamedPlace): boolean {
  return !isArea && names(text, name)
}

/** Whether the text has the name, however it separates the words. */
function names(text: string, name: string): boolean {
  if (name.length < MIN_LENGTH) return false
  for (let from = text.indexOf(`|${name[0]}`); from >= 0; from = text.indexOf(`|${name[0]}`, from + 1)) {
    let letter = 0
    let at = from
    while (at < text.length && letter < name.length) {
      if (text[at] === '|') at++
      else if (text[at] === name[letter]) {
        at++
        letter++
      } else break
    }
    if (letter === name.length && text[at] === '|') return true
  }
  return false
}

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

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const DIGITS = new Map(NUMBERS.map((word, number) => [word, String(number)]))

const ENDING = /(?:ing|ed|s)$/
const MIN_LENGTH_WITH_ENDING = 5

/**
 * Stems that many reports of violence contain. They are what two different attacks share: in Borno,
 * "Boko Haram kill soldiers" says nothing about which attack.
 */
const COMMON_STEMS = new Set(
  `abduct against ahli arm army attack bandit best bokoharam boko bomb bomber border burn camp civilian clash claim community
  confirm convoy crisi dead death destroy die displac estimate explosion explod farmer fight fighter fighting fire
  force fresh fulani gang govt group gun gunmen gunman haram herdsmen herder herdsman hit home hou house hundr injur
  insurgent insurgency invad islam islamic islamist iswap jamaatu jihad jihadist jtf kidnapp kidnap kill kill killer
  killing lead leav least leader liddaawati loot man map mass member men militant military milit nigeria nigerian new
  northern northeast northeastern north officer ongo operation patrol police policemen raid ransom religiou repel rescu
  resident road rob robber sect secur security shoot shot shoott slain soldier south southern sponsor state strike
  suicide sunna suspect terror terrorist terrorism thousand toll town traveller traveler troop ucdp update urge victim
  village villager violence wal war weapon witness women wound year youth`.split(/\s+/),
)

/** The weight of a common word; any other weighs 1. */
const COMMON_WEIGHT = 0.05

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

/** The words of a summary that tell it from others. */
export interface WeighedWords {
  readonly weights: ReadonlyMap<string, number>
  readonly sum: number
}

/** `areas` are compared on their own: their names count as common words. */
export function weighedWords(summary: string, areas: readonly string[]): WeighedWords {
  const areaWords = significantWords(areas.join(' '))
  const weights = new Map<string, number>()
  let sum = 0
  for (const word of significantWords(summary)) {
    const common = COMMON_STEMS.has(word) || areaWords.has(word) || /^\d+$/.test(word)
    const weight = common ? COMMON_WEIGHT : 1
    weights.set(word, weight)
    sum += weight
  }
  return { weights, sum }
}

type WordFinding = 'most' | 'several' | 'some' | 'none'

/**
 * Null if one has no words. "Gunmen attack village" and the same again are `none`: they share
 * nothing rare.
 */
export function compareWords(one: WeighedWords, other: WeighedWords): WordFinding | null {
  const [fewer, more] = one.weights.size <= other.weights.size ? [one, other] : [other, one]
  if (fewer.weights.size === 0) return null
  let shared = 0
  for (const [word, weight] of fewer.weights) {
    const there = more.weights.get(word)
    if (there !== undefined) shared += Math.min(weight, there)
  }
  const share = (2 * shared) / (one.sum + other.sum)
  if (share >= 0.6 && shared >= 3) return 'most'
  if (share >= 0.3 && shared >= 2) return 'several'
  return shared >= 1 ? 'some' : 'none'
}
