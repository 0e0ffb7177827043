import type { Relation } from '../../domain/places.ts'
import { type Word, wordsOf } from '../../lib/text.ts'
import { lgasNamed } from '../places.ts'

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

const MAX_NAME_WORDS = 5
const KIND_WORDS = /^(?:forest|forests|reserve|park|river|lake|dam|hills?|mountains?|market|camp|road)$/
export const PLACE_WORDS =
  /^(?:village|villages|town|community|communities|hamlet|settlement|city|lga|lgas|local|council|district|ward|area|axis|road|highway|camp|market|island|and|forest)$/
export const PLACE_PREPOSITIONS = /^(?:in|at|near|around|of|between|and|to|from|along|outside)$/

/** The kind of place that the words beside a name state. */
export type StatedKind = 'state' | 'lga' | 'town' | 'village' | 'road' | null

/** A name in a text: the words from `from` up to `to`. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly key: string
  readonly known: boolean
}

/** The names in order; at each position, the longest one that is known. */
export function spansIn(words: readonly Word[], isKnown: (key: string) => boolean, anyCase: boolean): Span[] {
  const spans: Span[] = []
  for (let from = 0; from < words.length; ) {
    const word = words[from]!
    if (!anyCase && !word.capital) {
      from++
      continue
    }
    const to = knownEnd(words, from, isKnown, anyCase)
    if (to > from) {
      if (!isPerson(words, from)) spans.push({ from, to, key: keyOf(words, from, to), known: true })
      from = to
      continue
    }
    const end = anyCase ? from : unknownEnd(words, from)
    if (end > from && isUsedAsPlace(words, from, end))
      spans.push({ from, to: end, key: keyOf(words, from, end), known: false })
    from = Math.max(end, from + 1)
  }
  return spans
}

function keyOf(words: readonly Word[], from: number, to: number): string {
  let key = ''
  for (let at = from; at < to; at++) key += words[at]!.key
  return key
}

/** Words of one name stand together: a space, a hyphen, a slash or an apostrophe between them. */
function joins({ before }: Word): boolean {
  return before === '' || before === '-' || before === '/' || before === '’' || before === "'" || before === '_'
}

function knownEnd(words: readonly Word[], from: number, isKnown: (key: string) => boolean, anyCase: boolean): number {
  let key = ''
  let best = from
  for (let to = from; to < words.length && to < from + MAX_NAME_WORDS; to++) {
    const word = words[to]!
    if (to > from && !joins(word)) break
    key += word.key
    const last = to + 1
    // "Kaduna to", "Jos and": a name ends with a capital; "Wuse 2" with a number, "Rugu forest"
    // with its kind.
    if (!anyCase && !word.capital && !/^\d+$/.test(word.key) && !(to > from && KIND_WORDS.test(word.key))) continue
    if (key.length > 2 && isKnown(key) && !(last === from + 1 && isCommonWord(words, from))) best = last
  }
  return best
}

/** "Delta State" is a state, "the Niger Delta" is not. */
function isCommonWord(words: readonly Word[], at: number): boolean {
  if (!NOT_PLACES.has(words[at]!.key) || words.length === 1) return false
  const next = words[at + 1]
  const stated = next !== undefined && /^(state|lga|local|village|town|community)$/.test(next.key) && next.before === ''
  if (!stated) return !isBareState(words, at) && !isBareLga(words, at)
  return /^(the|this|that|a|one|two|three)$/.test(words[at]!.key) || !words[at]!.capital
}

/**
 * "in Plateau", "Jos, Plateau": the states whose names are words, where the text uses them as
 * names.
 */
function isBareState(words: readonly Word[], at: number): boolean {
  const { key, before } = words[at]!
  if (!/^(plateau|rivers|delta|niger)$/.test(key)) return false
  const previous = words[at - 1]
  const next = words[at + 1]
  if (next && /^(delta|republic|river|border|basin|military|army|troops|coast)$/.test(next.key)) return false
  if (previous?.key === 'the' || previous?.key === 'republic') return false
  if (key === 'delta' && previous?.key === 'niger') return false
  if (key === 'niger') return previous !== undefined && before === ',' && previous.capital
  return (previous !== undefined && /^(in|and|of)$/.test(previous.key)) || before === ',' || before === ';'
}

/**
 * "in Bassa", "an attack on Agatu": LGAs with the names of peoples and persons, where the text says
 * where.
 */
function isBareLga(words: readonly Word[], at: number): boolean {
  const { key, capital, before } = words[at]!
  if (!capital || before !== '' || lgasNamed(key).length === 0) return false
  const next = words[at + 1]
  // "in Obi Okafor's house", "in Agatu-Tiv clashes"
  if (next && joins(next) && (next.capital || next.before !== '')) return false
  const previous = words[at - 1]?.key ?? ''
  return LOCATIVE.test(previous) || (previous === 'on' && ATTACK.test(words[at - 2]?.key ?? ''))
}
const LOCATIVE = /^(?:in|at|near|around|outside)$/
const ATTACK = /^(?:attacks?|raids?|assaults?|invasion)$/

function isPerson(words: readonly Word[], from: number): boolean {
  const before = words[from - 1]
  if (before === undefined || !joins(words[from]!) || words[from]!.before === '-') return false
  if (PERSON_TITLES.has(before.key) && before.capital) return true
  // "Musa Gwoza": a first name before it.
  return before.capital && FIRST_NAMES.test(before.key) && words[from]!.before === ''
}
const FIRST_NAMES =
  /^(musa|sani|garba|ibrahim|usman|bello|abdullahi|mohammed|muhammad|muhammadu|abubakar|umar|yusuf|aliyu|ahmed|ahmad|adamu|haruna|suleiman|hassan|idris|yakubu|john|peter|james|paul|david|samuel|emmanuel|joseph|michael|goodluck|kashim|babagana|nasir|bukola|ali)$/

/** End of a run of capitalised words that no gazetteer has and that may be a name. */
function unknownEnd(words: readonly Word[], from: number): number {
  let to = from
  while (to < words.length && to < from + 3) {
    const word = words[to]!
    if (
      !word.capital ||
      NOT_PLACES.has(word.key) ||
      PLACE_PREPOSITIONS.test(word.key) ||
      word.key.length < 3 ||
      (to > from && !joins(word))
    )
      break
    to++
  }
  return to
}

/** Titles begin every word with a capital: an unknown one is a name only beside words of places. */
function isUsedAsPlace(words: readonly Word[], from: number, to: number): boolean {
  const next = words[to]
  if (next === undefined || /[,(.;:/–—-]/.test(next.before) || PLACE_WORDS.test(next.key)) return true
  const previous = words[from - 1]
  return previous === undefined || PLACE_PREPOSITIONS.test(previous.key)
}

const list = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '')

/** Words that are also names of places, but hardly ever mean them in news. */
export const NOT_PLACES: ReadonlySet<string> = new Set([
  ...list(
    'nigeria nigerian africa african west western north northern south southern east eastern central upper lower',
  ),
  ...list('boko haram iswap islamic islamist islamists jihadist fulani hausa tiv igbo ijaw birom berom jukun yoruba'),
  ...list('tarok eggon kanuri itsekiri urhobo atyap irigwe agatu mambila mumuye ibibio efik idoma igala nupe gwari'),
  ...list('ogoni bachama shuwa mada alago bassa egbura ebira'),
  ...list('army police navy force forces troops soldiers command camp base barracks market church mosque school war'),
  ...list('monday tuesday wednesday thursday friday saturday sunday january february march april may june july'),
  ...list('august september october november december day week month year one two three four five six seven eight'),
  ...list(
    'nine ten hundred the a an and or of in at on to by for from with near after before over again many some all',
  ),
  ...list('new old big general major captain colonel sergeant chief imam pastor bishop sheikh mallam malam alhaji'),
  ...list('hajiya mr mrs dr prof senator governor president minister commissioner inspector spokesman justice'),
  ...list('musa ali sani garba ibrahim usman bello abdullahi mohammed muhammad muhammadu abubakar umar yusuf aliyu'),
  ...list('ahmed ahmad adamu isa haruna suleiman sule shehu hassan hussaini idris yakubu john peter james paul david'),
  ...list('samuel emmanuel joseph buhari jonathan tinubu shekau obi atiku goodluck isah lawal kabiru nasir'),
  ...list('man men woman women boy boys girl girls people person villagers village villages town towns city state'),
  ...list('states local government area council lga ward district community communities road street forest bush'),
  ...list('attack attacks killed kill kills dead death bomb bombs blast fire gun gunmen raid raids clash clashes'),
  ...list(
    'god allah christian christians muslim muslims daily trust punch guardian vanguard nation leadership premium',
  ),
  ...list('times reuters afp ap bbc nan this video update breaking title situation volume number press release'),
  ...list('operation lafiya dole safe haven hadin kai hope peace gate garage junction camp house farm farms base'),
  ...list('niger delta river rivers lake plateau island mountain hill hills ife ado oke ile'),
  ...list('yan sakai civilian joint task multinational bandit bandits herder herders herdsmen farmer farmers'),
  ...list('kidnap rescue rescued suspected unknown armed security public private primary secondary federal'),
  ...list(
    'more mob fresh death toll deadly terror terrorists terrorist insurgents insurgent militants militant suspected',
  ),
  ...list(
    'children students pupils worshippers farmers hunters vigilante vigilantes bodies houses burnt burned abducted',
  ),
  ...list('kidnapped injured wounded feared least about official officials residents witnesses resident leader member'),
  ...list('members under how why what not now also two out off up down back again another other others several scores'),
  ...list(
    'hundreds dozens male female suicide bomber bombers bombing explosion grenade gun guns ammunition weapons arms',
  ),
  ...list(
    'air force naf dhq jtf mnjtf cjtf idp idps lg boss hand group gang cult party pdp apc anpp acn ad rally court',
  ),
  ...list(
    'crisis conflict violence violent tension ethnic tribal religious land dispute reprisal revenge peace curfew',
  ),
  ...list('was were is are has have had been will would when where while who whose their his her its they he she it'),
  ...list('ya ta da na ba mai yan dan fire sun suka'),
])

/** A word before a name that makes it a person's: "Governor Zulum", "Alhaji Musa Gwoza". */
export const PERSON_TITLES: ReadonlySet<string> = new Set([
  ...list('mr mrs ms dr prof professor alhaji hajiya chief malam mallam sheikh imam pastor reverend rev bishop gen'),
  ...list('general major maj captain capt colonel col lieutenant lt sergeant sgt corporal brigadier brig inspector'),
  ...list(
    'asp dsp csp acp dcp cp igp ig commissioner senator sen hon honourable barrister barr governor gov president',
  ),
  ...list('minister justice spokesman spokesperson spokeswoman comrade engr engineer king emir oba eze igwe prince'),
])
