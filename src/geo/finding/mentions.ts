import { plainWords } from '../name-key.ts'

const MAX_TEXT_LENGTH = 400
const MAX_NAME_WORDS = 5
const ROADS = new Set(['road', 'rd', 'highway', 'expressway', 'express', 'axis', 'route', 'corridor'])
const PREPOSITIONS = new Set(['near', 'at', 'in', 'around', 'of', 'outside', 'by'])

export interface PlaceMention {
  /** Key of the name, as `nameKey` builds it. */
  readonly key: string
  /** True if another part of the text, before a comma, precedes it. */
  readonly later: boolean
  /** Kind that the following words state. */
  readonly kind: 'lga' | 'state' | 'road' | null
  /** True if a preposition such as "near" or "at" precedes it. */
  readonly afterPreposition: boolean
}

export interface Mentions {
  readonly mentions: readonly PlaceMention[]
  /** The first part of the text, where it contains no known name. */
  readonly unknown: string | null
}

/** Finds the known names in a text; at each position, the longest one. */
export function findMentions(text: string, known: (key: string) => boolean): Mentions {
  const parts = text
    .slice(0, MAX_TEXT_LENGTH)
    .split(/[,;:()\n]+/)
    .map((part) => plainWords(part).split(' '))
    .filter((words) => words[0] !== '')
  const mentions = parts.flatMap((words, part) => mentionsIn(words, part > 0, known))
  const first = parts[0]?.filter((word) => !ROADS.has(word)).join('') ?? ''
  const unknown = first !== '' && mentions.every(({ later }) => later) ? first : null
  return { mentions, unknown }
}

function mentionsIn(words: readonly string[], later: boolean, known: (key: string) => boolean): PlaceMention[] {
  const found: { key: string; from: number; to: number }[] = []
  for (let from = 0; from < words.length; ) {
    const to = nameEnd(words, from, known)
    if (to > from) found.push({ key: words.slice(from, to).join(''), from, to })
    from = Math.max(to, from + 1)
  }
  return found.map(({ key, from, to }, at) => {
    const next = found[at + 1]
    const paired = next !== undefined && (next.from === to || (next.from === to + 1 && /^(to|and)$/.test(words[to]!)))
    const roadAfter = ROADS.has(words[to] ?? '') || (paired && ROADS.has(words[next.to] ?? ''))
    const between =
      words[from - 1] === 'between' ||
      words[from - 2] === 'between' ||
      (found[at - 1] && words[found[at - 1]!.from - 1] === 'between')
    const kind = kindAfter(words, to) ?? (roadAfter || between ? 'road' : null)
    return { key, later, kind, afterPreposition: PREPOSITIONS.has(words[from - 1] ?? '') }
  })
}

/** End of the longest known name at `from`; names have three letters or more. */
function nameEnd(words: readonly string[], from: number, known: (key: string) => boolean): number {
  for (let to = Math.min(words.length, from + MAX_NAME_WORDS); to > from; to--) {
    const key = words.slice(from, to).join('')
    if (key.length > 2 && known(key)) return to
  }
  return from
}

function kindAfter(words: readonly string[], at: number): 'lga' | 'state' | null {
  const after = words.slice(at, at + 3).join(' ')
  if (/^(lga|local government|local govt|area council|l g a)\b/.test(after)) return 'lga'
  return /^state\b/.test(after) ? 'state' : null
}
