import { editDistance } from '../../lib/text/edit-distance.ts'
import { foldAccents } from '../../lib/text/fold-accents.ts'

/** Say nothing about which place: "Dansadau village, near Maru" is "Dansadau Maru". */
const GENERIC =
  /\b(?:town|village|city|community|area|ward|district|lga|local government|state|camp|near|around|outside|the|of|in)\b/g
const MIN_LENGTH = 3
/** One letter in four may differ: Gidan Kwano, Gidan Kwanno. */
const LETTERS_FOR_ONE_EDIT = 4

export type NameFinding = 'same' | 'similar' | 'in_text' | 'different'

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
