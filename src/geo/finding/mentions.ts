import { plainWords } from '../name-key.ts'

const LONGEST_TEXT = 400
const LONGEST_NAME = 5
const ROADS = new Set(['road', 'rd', 'highway', 'expressway', 'express', 'axis', 'route', 'corridor'])
const NEAR = new Set(['near', 'at', 'in', 'around', 'of', 'outside', 'by'])

export interface Mention {
  /** The words run together: a name's key. */
  readonly key: string
  /** Something else is named before it, before a comma. */
  readonly later: boolean
  /** What the words after it say it is. */
  readonly kind: 'lga' | 'state' | 'road' | null
  /** "near", "at" or the like stands before it. */
  readonly aimed: boolean
}

export interface Reading {
  readonly mentions: readonly Mention[]
  /** The words of the first part, where none of them is a known name. */
  readonly unknown: string | null
}

/** The names in a text, the longest that is known at each place. */
export function readMentions(text: string, known: (key: string) => boolean): Reading {
  const parts = text
    .slice(0, LONGEST_TEXT)
    .split(/[,;:()\n]+/)
    .map((part) => plainWords(part).split(' '))
    .filter((words) => words[0] !== '')
  const mentions = parts.flatMap((words, part) => mentionsIn(words, part > 0, known))
  const first = parts[0]?.filter((word) => !ROADS.has(word)).join('') ?? ''
  const unknown = first !== '' && mentions.every(({ later }) => later) ? first : null
  return { mentions, unknown }
}

function mentionsIn(words: readonly string[], later: boolean, known: (key: string) => boolean): Mention[] {
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
    return { key, later, kind, aimed: NEAR.has(words[from - 1] ?? '') }
  })
}

/** A single letter or a word of the road's is no name; of two known names the longer is meant. */
function nameEnd(words: readonly string[], from: number, known: (key: string) => boolean): number {
  for (let to = Math.min(words.length, from + LONGEST_NAME); to > from; to--) {
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
