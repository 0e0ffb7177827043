import type { Casualties } from '../../domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../../domain/summary.ts'
import { categoryOf, type IncidentType, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { pick, type Random } from '../../lib/random.ts'
import { ENDINGS, NO_DEATHS, NO_HARM, UNKNOWN_CASUALTIES } from '../tables/endings.ts'
import { OPENINGS } from '../tables/openings.ts'
import { OFFICIAL_ATTRIBUTIONS, OTHER_ATTRIBUTIONS, VICTIMS, VICTIMS_OF } from '../tables/people.ts'
import type { Setting } from '../tables/settings.ts'
import { TRAITS } from '../tables/types.ts'
import { CONDITIONS, MENTIONED_HARMS, PLACEHOLDERS, type SummaryContext } from './placeholders.ts'
import { type Template, template } from './template.ts'
import { furtherCasualties, HARMS, type Harm, hasCasualties } from './words.ts'

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

export interface SummaryInput {
  readonly type: IncidentType
  readonly casualties: Casualties
  readonly setting: Setting | null
  readonly where: string
  /** Shorter phrases for `where`, for sentences that would become too long. */
  readonly shorter: readonly string[]
  readonly when: string
  /** True if one of the sources is an authority. */
  readonly official: boolean
}

/** Writes one or two sentences in the style of a news agency, marked as synthetic. */
export function summaryOf(
  { type, casualties, setting, where, shorter, when, official }: SummaryInput,
  random: Random,
): string {
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
