import type { Relation } from '../../domain/places.ts'
import type { Word } from '../../lib/text.ts'
import type { Span, StatedKind } from './spans.ts'
import { wordsAfter, wordsBefore } from './words-beside.ts'

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
