import type { Casualties } from '../../domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../../domain/summary/summary.ts'
import { categoryOf, type IncidentType, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { pick, type Random } from '../../lib/random.ts'
import { ENDINGS, NO_DEATHS, NO_HARM, UNKNOWN_TOLL } from '../tables/endings.ts'
import { OPENINGS } from '../tables/openings.ts'
import { OFFICIAL_VOICES, OTHER_VOICES, VICTIMS, VICTIMS_OF } from '../tables/people.ts'
import type { Setting } from '../tables/settings.ts'
import { TRAITS } from '../tables/types.ts'
import { ASKS, SLOTS, SPEAKS_OF, type Story } from './placeholders.ts'
import { type Template, template } from './template.ts'
import { alsoSuffered, anySuffered, HARMS, type Harm } from './words.ts'

const SHORTEST = 80
const LONGEST = 260
/** Leaves room for the longest second sentence, and for what a correction has to say. */
const LONGEST_FIRST = 200

/** With any second sentence, long enough. */
const SHORTEST_FIRST = 64
const LONG_VOICE = ', according to local reports'

const SAID_SHARE = 0.55
const ENDING_SHARE = 0.6
const TOLL_REMARK_SHARE = 0.4

interface Opening extends Template<Story> {
  readonly told: readonly Harm[]
  readonly untold: readonly Harm[]
  readonly fits: (toll: Casualties, setting: Setting | null) => boolean
}

const SENTENCES = Object.fromEntries(
  TYPE_NAMES.map((type) => [type, OPENINGS[type].map(openingOf)] as const),
) as Record<IncidentType, Opening[]>

function openingOf(text: string): Opening {
  const sentence = template(text, SLOTS)
  const uses = [...sentence.uses]
  const asks = uses.flatMap((slot) => ASKS[slot] ?? [])
  const told = uses.flatMap((slot) => SPEAKS_OF[slot] ?? [])
  return {
    ...sentence,
    told,
    untold: HARMS.filter((harm) => !told.includes(harm)),
    fits: (toll, setting) => asks.every((ask) => ask(toll, setting)),
  }
}

export interface Telling {
  readonly type: IncidentType
  readonly toll: Casualties
  readonly setting: Setting | null
  readonly where: string
  /** The same in fewer words and in fewer still, where the sentence would become too long. */
  readonly shorter: readonly string[]
  readonly when: string
  /** Whether an authority is among the sources. */
  readonly official: boolean
}

/** One or two sentences in the manner of a wire service, marked as made up. */
export function summaryOf({ type, toll, setting, where, shorter, when, official }: Telling, random: Random): string {
  const victim = pick(random, VICTIMS_OF[type] ?? VICTIMS[setting ?? 'area'])
  const said = random() < SAID_SHARE ? `, ${pick(random, official ? OFFICIAL_VOICES : OTHER_VOICES)}` : ''
  const opening = openingFor(type, toll, setting, random)
  const story = { type, toll, setting, victim, where, when, said, random }
  const first = firstSentence(opening, story, shorter)
  const second = endingFor(type, toll, opening, first.length, random)
  return second && first.length + second.length < LONGEST ? `${first} ${second}` : first
}

function firstSentence(opening: Opening, story: Story, shorter: readonly string[]): string {
  let sentence = SYNTHETIC_PREFIX + opening.render(story)
  if (sentence.length < SHORTEST_FIRST && !story.said)
    sentence = SYNTHETIC_PREFIX + opening.render({ ...story, said: LONG_VOICE })
  for (let at = -1; sentence.length > LONGEST_FIRST && at < shorter.length; at++) {
    sentence = SYNTHETIC_PREFIX + opening.render({ ...story, said: '', where: shorter[at] ?? story.where })
  }
  return sentence
}

function openingFor(type: IncidentType, toll: Casualties, setting: Setting | null, random: Random): Opening {
  const openings = SENTENCES[type]
  const start = Math.floor(random() * openings.length)
  for (let at = 0; at < openings.length; at++) {
    const candidate = openings[(start + at) % openings.length]!
    if (candidate.fits(toll, setting)) return candidate
  }
  throw new TypeError(`no sentence fits this ${type}`)
}

function endingFor(
  type: IncidentType,
  toll: Casualties,
  { told, untold }: Opening,
  length: number,
  random: Random,
): string | null {
  if (anySuffered(toll, untold)) return alsoSuffered(toll, untold, anySuffered(toll, told))
  const remark = tollRemark(type, toll)
  if (remark && random() < TOLL_REMARK_SHARE) return pick(random, remark)
  return length < SHORTEST || random() < ENDING_SHARE ? pick(random, ENDINGS[type]) : null
}

/** Where there is something to say about nobody being hurt, or nobody knowing. */
function tollRemark(type: IncidentType, toll: Casualties): readonly string[] | null {
  if (anySuffered(toll, HARMS)) return null
  if (toll.killed === 0) return toll.injured === 0 ? NO_HARM : NO_DEATHS
  const expected = TRAITS[type].unhurt === 'medium' && categoryOf(type) !== 'infrastructure'
  return expected && toll.killed === null && toll.injured === null ? UNKNOWN_TOLL : null
}
