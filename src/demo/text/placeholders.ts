import type { Casualties } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { pick, type Random, randomInteger } from '../../lib/random.ts'
import { COUNTS, GRIEVANCES, OFFENCES } from '../tables/details.ts'
import { ACTORS, DEFAULT_LOOT, DEFAULT_TARGET, LOOT, type Noun, TARGETS, UNKNOWN_ACTORS } from '../tables/people.ts'
import type { Setting } from '../tables/settings.ts'
import type { Placeholders } from './template.ts'
import {
  actingClause,
  countedNoun,
  HARMS,
  type Harm,
  hasCasualties,
  leavingClause,
  PHYSICAL_HARMS,
  passiveClause,
  wasOrWere,
  withArticle,
} from './words.ts'

/** The values that a summary's template is filled with. */
export interface SummaryContext {
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

export const PLACEHOLDERS: Placeholders<SummaryContext> = {
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

/** The harms that a placeholder mentions. */
export const MENTIONED_HARMS: Readonly<Record<string, readonly Harm[]>> = {
  lead: HARMS,
  casualties: HARMS,
  harm: PHYSICAL_HARMS,
  leaving: PHYSICAL_HARMS,
  killed: ['killed'],
  killedWere: ['killed'],
  abducted: ['abducted'],
  abductedWere: ['abducted'],
}

type Condition = (casualties: Casualties, setting: Setting | null) => boolean

/** Conditions under which an incident can fill a placeholder. */
export const CONDITIONS: Readonly<Record<string, Condition>> = {
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
