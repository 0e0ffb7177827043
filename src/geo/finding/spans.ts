import type { Word } from '../../lib/text.ts'
import { lgasNamed } from './areas.ts'

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
