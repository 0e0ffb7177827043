import type { Casualties } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { between, pick, type Random } from '../../lib/random.ts'
import { COUNTS, GRIEVANCES, OFFENCES } from '../tables/details.ts'
import { ACTORS, CROWD, CROWDS, type Noun, SOMEBODY, SPOIL, SPOILS } from '../tables/people.ts'
import type { Setting } from '../tables/settings.ts'
import type { Slots } from './template.ts'
import { anySuffered, counted, doing, HARMS, type Harm, HURT, leaving, suffering, were, withArticle } from './words.ts'

/** What a summary is told from. */
export interface Story {
  readonly type: IncidentType
  readonly toll: Casualties
  /** Null where only the LGA or the state is known. */
  readonly setting: Setting | null
  readonly victim: Noun
  readonly where: string
  readonly when: string
  /** `, police said`, or nothing. */
  readonly said: string
  readonly random: Random
}

const OTHER: Noun = ['other person', 'others']

export const SLOTS: Slots<Story> = {
  where: ({ where }) => where,
  when: ({ when }) => when,
  said: ({ said }) => said,
  actors: ({ type, random }) => pick(random, ACTORS[type] ?? SOMEBODY),
  crowd: ({ setting }) => (setting && CROWDS[setting]) ?? CROWD,
  spoils: ({ setting }) => (setting && SPOILS[setting]) ?? SPOIL,

  /** Everybody who was hurt or taken. */
  lead: ({ toll, victim }) => suffering(toll, HARMS, victim),
  toll: ({ toll, victim }) => doing(toll, HARMS, victim),
  /** Without those taken. */
  harm: ({ toll, victim }) => doing(toll, HURT, toll.abducted ? OTHER : victim),
  leaving: ({ toll, victim }) => leaving(toll, victim),
  /** Says nothing, of incidents in which nobody was hurt. */
  unhurt: () => '',

  killed: ({ toll, victim }) => counted(toll.killed!, victim),
  killedWere: ({ toll, victim }) => `${counted(toll.killed!, victim)} ${were(toll.killed!)}`,
  survivor: ({ victim: [one] }) => withArticle(one),
  abducted: ({ toll, victim }) => taken(toll, victim),
  abductedWere: ({ toll, victim }) => `${taken(toll, victim)} ${were(toll.abducted ?? 2)}`,

  cattle: ({ random }) => some('cattle', random),
  houses: ({ random }) => some('houses', random),
  vehicles: ({ random }) => some('vehicles', random),
  freed: ({ random }) => some('freed', random),
  days: ({ random }) => some('days', random),
  grievance: ({ random }) => pick(random, GRIEVANCES),
  offence: ({ random }) => pick(random, OFFENCES),
}

/** The harms that a slot speaks of. */
export const SPEAKS_OF: Readonly<Record<string, readonly Harm[]>> = {
  lead: HARMS,
  toll: HARMS,
  harm: HURT,
  leaving: HURT,
  killed: ['killed'],
  killedWere: ['killed'],
  abducted: ['abducted'],
  abductedWere: ['abducted'],
}

type Ask = (toll: Casualties, setting: Setting | null) => boolean

/** Slots that only some incidents can fill. */
export const ASKS: Readonly<Record<string, Ask>> = {
  lead: (toll) => anySuffered(toll, HARMS),
  unhurt: (toll) => !anySuffered(toll, HARMS),
  killed: ({ killed }) => Boolean(killed),
  killedWere: ({ killed }) => Boolean(killed),
  survivor: ({ killed }) => !killed,
  houses: (_, setting) => setting !== 'road' && setting !== 'post' && setting !== 'grazing',
}

function taken({ abducted }: Casualties, victim: Noun): string {
  return abducted ? counted(abducted, victim) : `an unknown number of ${victim[1]}`
}

function some(name: keyof typeof COUNTS, random: Random): string {
  const { least, most, noun } = COUNTS[name]
  return counted(between(random, least, most), noun)
}
