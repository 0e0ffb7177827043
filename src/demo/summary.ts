import type { Casualties } from '../domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../domain/summary.ts'
import { categoryOf, type IncidentType, TYPE_NAMES } from '../domain/taxonomy.ts'
import { pick, type Random, randomInteger } from '../lib/random.ts'
import { type Setting, TRAITS } from './mixes.ts'
import {
  ACTORS,
  COUNTS,
  DEFAULT_LOOT,
  DEFAULT_TARGET,
  ENDINGS,
  GRIEVANCES,
  LOOT,
  NO_DEATHS,
  NO_HARM,
  type Noun,
  OFFENCES,
  OFFICIAL_ATTRIBUTIONS,
  OPENINGS,
  OTHER_ATTRIBUTIONS,
  PERSON,
  TARGETS,
  UNKNOWN_ACTORS,
  UNKNOWN_CASUALTIES,
  VICTIMS,
  VICTIMS_OF,
} from './phrases.ts'

/** The values that a summary's template is filled with. */
interface SummaryContext {
  readonly type: IncidentType
  readonly casualties: Casualties
  /** Null where only the LGA or the state is known. */
  readonly setting: Setting | null
  readonly victim: Noun
  readonly where: string
  readonly when: string
  /** An attribution as `, police said`, or empty. */
  readonly said: string
  readonly random: Random
}

const OTHER: Noun = ['other person', 'others']

const PLACEHOLDERS: Placeholders<SummaryContext> = {
  where: ({ where }) => where,
  when: ({ when }) => when,
  said: ({ said }) => said,
  actors: ({ type, random }) => pick(random, ACTORS[type] ?? UNKNOWN_ACTORS),
  target: ({ setting }) => (setting && TARGETS[setting]) ?? DEFAULT_TARGET,
  loot: ({ setting }) => (setting && LOOT[setting]) ?? DEFAULT_LOOT,

  /** All victims, as a passive sentence. */
  lead: ({ casualties, victim }) => passiveClause(casualties, HARMS, victim),
  casualties: ({ casualties, victim }) => actingClause(casualties, HARMS, victim),
  /** All victims but the abducted. */
  harm: ({ casualties, victim }) => actingClause(casualties, PHYSICAL_HARMS, casualties.abducted ? OTHER : victim),
  leaving: ({ casualties, victim }) => leavingClause(casualties, victim),
  /** Empty; restricts a template to incidents without victims. */
  unhurt: () => '',

  killed: ({ casualties, victim }) => countedNoun(casualties.killed!, victim),
  killedWere: ({ casualties, victim }) => `${countedNoun(casualties.killed!, victim)} ${wasOrWere(casualties.killed!)}`,
  survivor: ({ victim: [one] }) => withArticle(one),
  abducted: ({ casualties, victim }) => taken(casualties, victim),
  abductedWere: ({ casualties, victim }) => `${taken(casualties, victim)} ${wasOrWere(casualties.abducted ?? 2)}`,

  cattle: ({ random }) => some('cattle', random),
  houses: ({ random }) => some('houses', random),
  vehicles: ({ random }) => some('vehicles', random),
  freed: ({ random }) => some('freed', random),
  days: ({ random }) => some('days', random),
  grievance: ({ random }) => pick(random, GRIEVANCES),
  offence: ({ random }) => pick(random, OFFENCES),
}

type Condition = (casualties: Casualties, setting: Setting | null) => boolean

/** Conditions under which an incident can fill a placeholder. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  lead: (casualties) => hasCasualties(casualties, HARMS),
  unhurt: (casualties) => !hasCasualties(casualties, HARMS),
  killed: ({ killed }) => Boolean(killed),
  killedWere: ({ killed }) => Boolean(killed),
  survivor: ({ killed }) => !killed,
  houses: (_, setting) => setting !== 'road' && setting !== 'post' && setting !== 'grazing',
}

function taken({ abducted }: Casualties, victim: Noun): string {
  return abducted ? countedNoun(abducted, victim) : `an unknown number of ${victim[1]}`
}

function some(name: keyof typeof COUNTS, random: Random): string {
  const { least, most, noun } = COUNTS[name]
  return countedNoun(randomInteger(random, least, most), noun)
}

export type Placeholders<Context> = Readonly<Record<string, (context: Context) => string>>

export interface Template<Context> {
  /** Names of the placeholders that the text uses. */
  readonly uses: ReadonlySet<string>
  readonly render: (context: Context) => string
}

/** Compiles a text with `{placeholders}`. A capitalised placeholder begins a sentence. */
export function template<Context>(text: string, placeholders: Placeholders<Context>): Template<Context> {
  const pieces = text.split(/\{(\w+)\}/)
  const uses = new Set<string>()
  const fillings = pieces
    .filter((_, at) => at % 2 === 1)
    .map((name) => {
      const plain = name[0]!.toLowerCase() + name.slice(1)
      const fill = placeholders[plain]
      if (!fill) throw new TypeError(`unknown placeholder: {${name}}`)
      uses.add(plain)
      return name === plain ? fill : (context: Context) => opening(fill(context))
    })
  const texts = pieces.filter((_, at) => at % 2 === 0)
  return {
    uses,
    render(context) {
      let rendered = texts[0]!
      for (let at = 0; at < fillings.length; at++) rendered += fillings[at]!(context) + texts[at + 1]!
      return rendered
    },
  }
}

/** Turns a text into the beginning of a sentence, which must not be a figure. */
export function opening(text: string): string {
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) return `At least ${text}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const

/** Words for numbers below ten, figures for others. */
export function numberInWords(number: number): string {
  return SMALL[number] ?? String(number)
}

/** `a farmer`, `one person`, `three farmers`. */
export function countedNoun(number: number, noun: Noun): string {
  return number === 1 && noun !== PERSON ? withArticle(noun[0]) : numbered(number, noun)
}

function withArticle(noun: string): string {
  return `${'aeiou'.includes(noun.charAt(0)) ? 'an' : 'a'} ${noun}`
}

function wasOrWere(number: number): string {
  return number === 1 ? 'was' : 'were'
}

export const HARMS = ['killed', 'injured', 'abducted'] as const satisfies readonly (keyof Casualties)[]
export type Harm = (typeof HARMS)[number]
const PHYSICAL_HARMS = ['killed', 'injured'] as const satisfies readonly Harm[]

const ACTS = { killed: 'killing', injured: 'injuring', abducted: 'abducting' } as const
const STATES = { killed: 'dead', injured: 'injured', abducted: 'missing' } as const

function hasCasualties(casualties: Casualties, harms: readonly Harm[]): boolean {
  return harms.some((harm) => Boolean(casualties[harm]))
}

/** `, killing two farmers, injuring another and abducting five others`. */
export function actingClause(casualties: Casualties, harms: readonly Harm[], noun: Noun): string {
  const list = listed(casualties, harms, noun, (who, harm) => `${ACTS[harm]} ${who}`)
  return list && `, ${list}`
}

/** `, leaving two farmers dead and five others injured`. */
export function leavingClause(casualties: Casualties, noun: Noun): string {
  const list = listed(casualties, PHYSICAL_HARMS, noun, (who, harm) => `${who} ${STATES[harm]}`)
  return list && `, leaving ${list}`
}

/** `two farmers were killed and another was injured`. */
export function passiveClause(casualties: Casualties, harms: readonly Harm[], noun: Noun): string {
  return listed(casualties, harms, noun, (who, harm, number) => `${who} ${wasOrWere(number)} ${harm}`)
}

const OTHER_PERSON: Noun = ['other person', 'other people']

/** A second sentence about the victims that the first does not mention. */
export function furtherCasualties(casualties: Casualties, harms: readonly Harm[], afterOthers: boolean): string {
  return `${opening(passiveClause(casualties, harms, afterOthers ? OTHER_PERSON : PERSON))}.`
}

type Clause = (who: string, harm: Harm, number: number) => string

function listed(casualties: Casualties, harms: readonly Harm[], noun: Noun, clause: Clause): string {
  let list = ''
  let last = ''
  let clauses = 0
  for (const harm of harms) {
    const number = casualties[harm]
    if (!number) continue
    if (clauses > 1) list += ', '
    list += last
    last = clause(clauses === 0 ? numbered(number, noun) : others(number, clauses), harm, number)
    clauses++
  }
  return clauses > 1 ? `${list} and ${last}` : last
}

function numbered(number: number, [one, many]: Noun): string {
  return `${numberInWords(number)} ${number === 1 ? one : many}`
}

function others(number: number, before: number): string {
  if (number === 1) return before === 1 ? 'another' : 'one more'
  return `${numberInWords(number)} ${before === 1 ? 'others' : 'more'}`
}

/** The harms that a placeholder mentions. */
const MENTIONED_HARMS: Readonly<Record<string, readonly Harm[]>> = {
  lead: HARMS,
  casualties: HARMS,
  harm: PHYSICAL_HARMS,
  leaving: PHYSICAL_HARMS,
  killed: ['killed'],
  killedWere: ['killed'],
  abducted: ['abducted'],
  abductedWere: ['abducted'],
}

const MIN_LENGTH = 80
const MAX_LENGTH = 260
/** Leaves room for the longest second sentence, and for the sentence that a correction adds. */
const MAX_FIRST_LENGTH = 200

/** Together with any second sentence, this reaches `MIN_LENGTH`. */
const MIN_FIRST_LENGTH = 64
const LONG_ATTRIBUTION = ', according to local reports'

const SAID_SHARE = 0.55
const ENDING_SHARE = 0.6
const CASUALTY_REMARK_SHARE = 0.4

interface Opening extends Template<SummaryContext> {
  readonly mentioned: readonly Harm[]
  readonly unmentioned: readonly Harm[]
  readonly fits: (casualties: Casualties, setting: Setting | null) => boolean
}

const SENTENCES = Object.fromEntries(
  TYPE_NAMES.map((type) => [type, OPENINGS[type].map(parseOpening)] as const),
) as Record<IncidentType, Opening[]>

function parseOpening(text: string): Opening {
  const sentence = template(text, PLACEHOLDERS)
  const uses = [...sentence.uses]
  const conditions = uses.flatMap((name) => CONDITIONS[name] ?? [])
  const mentioned = uses.flatMap((name) => MENTIONED_HARMS[name] ?? [])
  return {
    ...sentence,
    mentioned,
    unmentioned: HARMS.filter((harm) => !mentioned.includes(harm)),
    fits: (casualties, setting) => conditions.every((condition) => condition(casualties, setting)),
  }
}

interface SummaryInput extends Pick<SummaryContext, 'type' | 'casualties' | 'setting' | 'where' | 'when'> {
  /** Shorter phrases for `where`, for sentences that would become too long. */
  readonly shorter: readonly string[]
  /** True if one of the sources is an authority. */
  readonly official: boolean
}

/** Writes one or two sentences in the style of a news agency, marked as synthetic. */
export function summaryOf(input: SummaryInput, random: Random): string {
  const { type, casualties, setting, where, shorter, when, official } = input
  const victim = pick(random, VICTIMS_OF[type] ?? VICTIMS[setting ?? 'area'])
  const said = random() < SAID_SHARE ? `, ${pick(random, official ? OFFICIAL_ATTRIBUTIONS : OTHER_ATTRIBUTIONS)}` : ''
  const opening = pickOpening(type, casualties, setting, random)
  const context = { type, casualties, setting, victim, where, when, said, random }
  const first = firstSentence(opening, context, shorter)
  const second = pickEnding(type, casualties, opening, first.length, random)
  return second && first.length + second.length < MAX_LENGTH ? `${first} ${second}` : first
}

function firstSentence(opening: Opening, context: SummaryContext, shorter: readonly string[]): string {
  let sentence = SYNTHETIC_PREFIX + opening.render(context)
  if (sentence.length < MIN_FIRST_LENGTH && !context.said)
    sentence = SYNTHETIC_PREFIX + opening.render({ ...context, said: LONG_ATTRIBUTION })
  for (let at = -1; sentence.length > MAX_FIRST_LENGTH && at < shorter.length; at++) {
    sentence = SYNTHETIC_PREFIX + opening.render({ ...context, said: '', where: shorter[at] ?? context.where })
  }
  return sentence
}

function pickOpening(type: IncidentType, casualties: Casualties, setting: Setting | null, random: Random): Opening {
  const openings = SENTENCES[type]
  const start = Math.floor(random() * openings.length)
  for (let at = 0; at < openings.length; at++) {
    const candidate = openings[(start + at) % openings.length]!
    if (candidate.fits(casualties, setting)) return candidate
  }
  throw new TypeError(`no sentence fits this ${type}`)
}

function pickEnding(
  type: IncidentType,
  casualties: Casualties,
  { mentioned, unmentioned }: Opening,
  length: number,
  random: Random,
): string | null {
  if (hasCasualties(casualties, unmentioned))
    return furtherCasualties(casualties, unmentioned, hasCasualties(casualties, mentioned))
  const remark = casualtyRemark(type, casualties)
  if (remark && random() < CASUALTY_REMARK_SHARE) return pick(random, remark)
  return length < MIN_LENGTH || random() < ENDING_SHARE ? pick(random, ENDINGS[type]) : null
}

/** Remarks on incidents without victims, or with unknown casualties; null where none applies. */
function casualtyRemark(type: IncidentType, casualties: Casualties): readonly string[] | null {
  if (hasCasualties(casualties, HARMS)) return null
  if (casualties.killed === 0) return casualties.injured === 0 ? NO_HARM : NO_DEATHS
  const expected = TRAITS[type].unhurt === 'medium' && categoryOf(type) !== 'infrastructure'
  return expected && casualties.killed === null && casualties.injured === null ? UNKNOWN_CASUALTIES : null
}
