import type { DeskIncident } from '../api/types.ts'

/** A stretch of text, and the field that its words may stand for. */
export interface Passage {
  readonly text: string
  readonly field: 'place' | 'casualties' | null
}

const NUMBER_WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ')

/** Cuts a report's text where its words name the place or a number of casualties. */
export function passagesIn(text: string, incident: DeskIncident): Passage[] {
  const { location, lga, state, casualties } = incident
  const names = [location.place, lga, state].filter((name) => name !== null && name.length > 2)
  const counts = Object.values(casualties).filter((count) => count !== null && count > 0)
  const numbers = counts
    .flatMap((count) => [String(count), NUMBER_WORDS[count!] ?? null])
    .filter((word) => word !== null)
  const words = [
    ...names.map((name) => [name!, 'place'] as const),
    ...numbers.map((word) => [word, 'casualties'] as const),
  ]
  if (words.length === 0) return [{ text, field: null }]
  const fields = new Map(words.map(([word, field]) => [plain(word), field]))
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${words.map(([word]) => escaped(word)).join('|')})(?![\\p{L}\\p{N}])`,
    'giu',
  )
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, field: index % 2 === 1 ? (fields.get(plain(part)) ?? null) : null }))
    .filter((passage) => passage.text !== '')
}

/** One form for `Gonin Gora` and `GONIN-GORA`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s-]+/g, ' ')
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/[\s-]+/g, '[\\s-]+')
}
