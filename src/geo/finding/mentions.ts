import type { Relation } from '../../domain/places.ts'
import { type Word, wordsOf } from '../../lib/text.ts'
import { NOT_PLACES, PLACE_PREPOSITIONS, PLACE_WORDS, type Span, type StatedKind, spansIn } from './spans.ts'

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

const MAX_PAIRED = 5
const NEAR_AFTER = /^(?:\w+ )?(near|around|between|outskirts of|the outskirts of|outside|vicinity of|close to)\b/
const NEAR_BEFORE =
  /\b(near|nearby|close to|closer to|outside|outskirts of|vicinity of|around|away from|(?:km|kilometers?|kilometres?|miles?)(?: \w+)? (?:from|of|outside)|(?:north|south|east|west|northeast|northwest|southeast|southwest) of|environs of|not far from|bordering|behind)(?: the)?(?: \w+)?(?: (?:town|city|village) of|(?: \w+){0,3} capital(?: city)?(?: of)?)?$/
const PART_BEFORE =
  /\b(suburbs?|area|areas|ward|district|quarters|neighbou?rhood|part|parts|layout|axis|section)(?: of| in)(?: the)?(?: (?:town|city) of)?$/
const VILLAGE_IN_BEFORE =
  /\b(?:a|an|some|several|two|three|four|five|many|remote|another|other|few)(?: \w+){0,2} (?:village|villages|community|communities|settlement|settlements|town|towns|hamlet|hamlets) (?:in|of|near|under|within|around)(?: the)?$/
const AWAY_BEFORE =
  /\b(?:from|via|towards|toward|fled to|taken to|to|capital|headquarters of|native of|indigene of|headed for|heading to)$/
/** "Chibok girls", "Borno governor": the name says which, not where. */
const NAMED_AFTER =
  /^(?:school ?girls?|girls?|school girls?|man|woman|native|indigenes?|senator|governor|emir|caucus|elders)\b/
const AXIS_AFTER =
  /^(axis|district|ward|council ward|general area|area|areas|region|outskirts|forest|forests|bush|hills|mountains?)\b/
export const ROAD_AFTER = /^(road|rd|highway|expressway|express way|express|route|corridor|railway|rail)\b/

export function relationOf(
  before: string,
  after: string,
  bracket: string,
  kind: StatedKind,
  between: boolean,
): Relation {
  if (between) return 'between'
  if (kind === 'road') return 'road'
  if (NEAR_BEFORE.test(before) || NEAR_AFTER.test(bracket) || AXIS_AFTER.test(bracket)) return 'near'
  if (VILLAGE_IN_BEFORE.test(before)) return 'part'
  if (kind === 'state' || kind === 'lga') return 'at'
  if (PART_BEFORE.test(before)) return 'at'
  if (AXIS_AFTER.test(after)) return 'near'
  if (NAMED_AFTER.test(after)) return 'away'
  return AWAY_BEFORE.test(before) ? 'away' : 'at'
}

/** "the Abuja–Kaduna road", "the road from Jos to Bauchi". */
export function pairedRoad(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  const { from, to } = spans[at]!
  const next = spans[at + 1]
  const previous = spans[at - 1]
  if (endsPaired(words, spans, at, ROAD_AFTER)) return true
  if (
    next &&
    isPair(words, to, next.from) &&
    /\b(road|highway|expressway)( linking| between| from| connecting)?( the)?$/.test(wordsBefore(words, from))
  )
    return true
  return (
    previous !== undefined &&
    isPair(words, previous.to, from) &&
    /\b(road|highway|expressway)( linking| between| from| connecting)?( the)?$/.test(wordsBefore(words, previous.from))
  )
}

/** "Maiduguri-Mafa-Dikwa road", "Yajiwa-Kaffa axis": the word after the last is said of all. */
function endsPaired(words: readonly Word[], spans: readonly Span[], at: number, after: RegExp): boolean {
  for (let last = at + 1; last < at + MAX_PAIRED; last++) {
    const span = spans[last]
    if (span === undefined || !isPair(words, spans[last - 1]!.to, span.from)) return false
    if (after.test(wordsAfter(words, span.to))) return true
  }
  return false
}

const FAR_OFF = /\b(\d+) ?(?:km|kms|kilomet\w+|miles?)(?: \w+){0,2} (?:from|of|outside)(?: the)?(?: \w+){0,2}$/
const FAR_KM = 15

/** "Dukku, 80 kilometres from Gombe": the second only says where the first is. */
export function isFarOff(before: string): boolean {
  const distance = FAR_OFF.exec(before)?.[1]
  return distance !== undefined && Number(distance) >= FAR_KM
}

/** "Yajiwa-Kaffa axis". */
export function isOnAxis(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  return endsPaired(words, spans, at, AXIS_AFTER)
}

function isPair(words: readonly Word[], to: number, from: number): boolean {
  if (from === to) return /^[-–—/]$/.test(words[from]?.before ?? '')
  return from === to + 1 && /^(to|and)$/.test(words[to]!.key)
}

/** "A, B", "A and B". */
export function isListed(words: readonly Word[], to: number, from: number): boolean {
  if (from === to) return /^[,/]$/.test(words[from]?.before ?? '')
  return from === to + 1 && words[to]!.key === 'and'
}

export function isBetween(words: readonly Word[], spans: readonly Span[], at: number): boolean {
  const isAfter = (span: Span | undefined): boolean =>
    span !== undefined && /\bbetween(?: the)?(?: \w+){0,3}$/.test(wordsBefore(words, span.from))
  const previous = spans[at - 1]
  const span = spans[at]!
  const andNext = (one: Span, other: Span | undefined): boolean =>
    other !== undefined && other.from - one.to <= 4 && words.slice(one.to, other.from).some(({ key }) => key === 'and')
  return (
    (isAfter(span) && andNext(span, spans[at + 1])) ||
    (previous !== undefined && isAfter(previous) && andNext(previous, span))
  )
}

const DISTANCE = /^(?:km|kms|kilomet(?:er|re)s?|miles?|\d+)$/
const BREAK = /[.;!?:\n()|[\]•]|--|[–—]\s*$/

export function wordsAfter(words: readonly Word[], to: number): string {
  let text = ''
  for (let at = to; at < words.length && at < to + 3; at++) {
    const { key, before } = words[at]!
    if (before !== '' && before !== '-' && !(before === '.' && at > to && words[at - 1]!.key.length === 1)) break
    text += at === to ? key : ` ${key}`
  }
  return text
}

/** The words in a bracket right after: "Konduga (near)", "Maiduguri town (outskirts of)". */
export function afterBracket(words: readonly Word[], to: number): string {
  let at = to
  while (at < to + 2 && at < words.length && !words[at]!.before.includes('(')) at++
  if (!words[at]?.before.startsWith('(')) return ''
  return words
    .slice(at, at + 3)
    .map(({ key }) => key)
    .join(' ')
}

export function wordsBefore(words: readonly Word[], from: number): string {
  let text = ''
  for (let at = from - 1; at >= 0 && at >= from - 7; at--) {
    const { before } = words[at + 1]!
    // "80 kilometres (50 miles) north of the state capital, Maiduguri" is one phrase.
    const inPhrase =
      (before === ',' && words[at]!.key === 'capital') || (/^[()]$/.test(before) && DISTANCE.test(words[at]!.key))
    if (!inPhrase && (BREAK.test(before) || before === ',')) break
    text = text === '' ? words[at]!.key : `${words[at]!.key} ${text}`
  }
  return text
}

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
