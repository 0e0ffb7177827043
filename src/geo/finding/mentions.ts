import type { Relation } from '../../domain/places.ts'
import { type Word, wordsOf } from '../../lib/text.ts'
import { isLocationLine } from './location-line.ts'
import { NOT_PLACES } from './not-places.ts'
import { isBetween, isFarOff, isListed, isOnAxis, pairedRoad, ROAD_AFTER, relationOf } from './relations.ts'
import { PLACE_WORDS, type Span, type StatedKind, spansIn } from './spans.ts'
import { afterBracket, wordsAfter, wordsBefore } from './words-beside.ts'

export interface Mention {
  /** As `nameKey` builds it. */
  readonly key: string
  readonly start: number
  readonly end: number
  /** False for a capitalised name that no gazetteer has. */
  readonly known: boolean
  /** The kind that the words beside it state. */
  readonly kind: StatedKind
  /** Another capitalised word stands between it and "village": it is only part of that name. */
  readonly partOfName: boolean
  /** "Gawa and Boskoro villages", "Wukari communities": more than one place. */
  readonly plural: boolean
  readonly relation: Relation
  /** Stands in brackets, or is the dateline before the first sentence. */
  readonly aside: boolean
  /** Follows another name and a comma, or "in" and "of": it may contain that place. */
  readonly later: boolean
  readonly afterPreposition: boolean
  /** Its sentence has only names and words of places: "Konduga town, Borno" after a headline. */
  readonly locationLine: boolean
}

const STATE_AFTER = /^states?\b/
const LGA_AFTER = /^(lga|lgas|local government|local govt|local council|council area|area council|council|l g a|lg)\b/
const TOWN_AFTER = /^(?:town|city|metropolis|metropolitan|township)\b/
const TOWN_BEFORE = /\b(?:town|city)(?: of| called| named| known as)$/
const VILLAGE_WORD =
  '(?:village|villages|community|communities|hamlet|hamlets|settlement|settlements|island|market|camp|idp camp|town)'
const VILLAGE_AFTER = new RegExp(`^(\\w+ )?${VILLAGE_WORD}\\b`)
const PLURAL_AFTER = /^(?:\w+ )?(?:villages|communities|hamlets|settlements|towns|areas|axes|lgas|wards)\b/
const VILLAGE_BEFORE = new RegExp(`\\b${VILLAGE_WORD}(?: of| called| named| known as)$`)
const MAX_LISTED = 12
const PREPOSITION = /\b(?:in|at|on|around|of|within|inside|into)(?: the)?$/

export interface Reading {
  readonly mentions: readonly Mention[]
  readonly words: readonly Word[]
}

/** Finds the names in a text; at each position, the longest one that is known. */
export function findMentions(text: string, isKnown: (key: string) => boolean): Reading {
  const words = wordsOf(text)
  const anyCase = !words.some(({ capital }) => capital)
  const spans = spansIn(words, isKnown, anyCase)
  return { mentions: spans.map((_, at) => mentionOf(text, words, spans, at)), words }
}

/** "Kufai Amadu", "Buji-Buji": a longer name of which only one word is known. */
function isBesideName(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  const { from, to } = spans[at]!
  const next = words[to]
  const previous = words[from - 1]
  const isName = (word: Word | undefined, gap: string | undefined): boolean =>
    word !== undefined &&
    (gap === '' || gap === '-') &&
    word.capital &&
    !NOT_PLACES.has(word.key) &&
    !PLACE_WORDS.test(word.key) &&
    !/^(?:state|states)$/.test(word.key)
  const isPairOf = (other: Span | undefined): boolean => other?.known === true && other.key !== spans[at]!.key
  if (isName(next, next?.before)) return !(next!.before === '-' && isPairOf(spans[at + 1]))
  return isName(previous, words[from]!.before) && !(words[from]!.before === '-' && isPairOf(spans[at - 1]))
}

function mentionOf(text: string, words: readonly Word[], spans: readonly Span[], at: number): Mention {
  const { from, to, key, known } = spans[at]!
  const previous = spans[at - 1]
  const next = spans[at + 1]
  const after = wordsAfter(words, to)
  const before = wordsBefore(words, from)
  const roadPair = pairedRoad(words, spans, at)
  const open = lastBracket(text, words[from]!.start)
  const kind =
    STATE_AFTER.test(after) || (next && sharedState(words, spans, at))
      ? 'state'
      : LGA_AFTER.test(after)
        ? 'lga'
        : ROAD_AFTER.test(after) || roadPair
          ? 'road'
          : TOWN_AFTER.test(after) || TOWN_BEFORE.test(before)
            ? 'town'
            : VILLAGE_AFTER.test(after) || VILLAGE_BEFORE.test(before)
              ? 'village'
              : null
  const between = VILLAGE_AFTER.exec(after)?.[1]
  const partOfName =
    isBesideName(words, spans, at) ||
    (between !== undefined && kind === 'village' && words[to]?.capital === true && !NOT_PLACES.has(words[to]!.key))
  return {
    key,
    known,
    start: words[from]!.start,
    end: words[to - 1]!.end,
    kind,
    partOfName,
    plural: isPlural(words, spans, at),
    relation:
      previous?.known === true && isFarOff(before)
        ? 'away'
        : kind === null && isOnAxis(words, spans, at)
          ? 'near'
          : relationOf(before, after, afterBracket(words, to), kind, isBetween(words, spans, at)),
    aside: (open && !/^\(?(near|around|close)/i.test(open)) || isDateline(text, words, from, to),
    later: previous?.known === true && isContainer(words, previous.to, from),
    afterPreposition: PREPOSITION.test(before),
    locationLine: isLocationLine(words, spans, at),
  }
}

/** "Talala, Ajigin and Toro villages": the last says it for all. */
function isPlural(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  for (let last = at; last < at + MAX_LISTED; last++) {
    const { to } = spans[last]!
    if (PLURAL_AFTER.test(wordsAfter(words, to))) return true
    const next = spans[last + 1]
    if (next === undefined || !isListed(words, to, next.from)) return false
  }
  return false
}

/** "Adamawa, Borno and Yobe States". */
function sharedState(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  for (let next = at + 1; next < spans.length && next < at + 4; next++) {
    const gap = words.slice(spans[next - 1]!.to, spans[next]!.from)
    if (gap.length > 1 || gap.some(({ key }) => key !== 'and')) return false
    if (/^states\b/.test(wordsAfter(words, spans[next]!.to))) return true
  }
  return false
}

/** "Kumshe, Bama", "Kaya in Giwa", "Gawa village of Mafa": the second contains the first. */
function isContainer(words: readonly Word[], to: number, from: number): boolean {
  const gap = words.slice(to, from)
  if (gap.length === 0)
    return words[from]!.before === ',' || words[from]!.before === '(' || words[from]!.before === '),'
  if (gap.length > 5) return false
  const connecting =
    /^(village|villages|town|community|area|ward|district|lga|local|government|state|in|of|under|the|council|and)$/
  return (
    gap.every(({ key }) => connecting.test(key)) &&
    (words[from]!.before === ',' || /^(in|of|under|the)$/.test(gap.at(-1)!.key))
  )
}

function lastBracket(text: string, start: number): string | null {
  const from = Math.max(0, start - 120)
  const window = text.slice(from, start)
  const open = window.lastIndexOf('(')
  return open >= 0 && !window.includes(')', open) ? window.slice(open) : null
}

/** "MAIDUGURI, Nigeria (Reuters) -": where the reporter writes from. */
function isDateline(text: string, words: readonly Word[], from: number, to: number): boolean {
  if (from > 0 && !/\n/.test(text.slice(words[from - 1]!.end, words[from]!.start))) return false
  return /^,?\s*(?:Nigeria)?,?\s*(?:\((?:Reuters|AFP|AP|NAN|Xinhua|dpa)\)|(?:Reuters|AFP)?\s*[–—-]{1,2}\s)/i.test(
    text.slice(words[to - 1]!.end, words[to - 1]!.end + 40),
  )
}
