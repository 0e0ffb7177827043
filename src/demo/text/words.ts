import type { Casualties } from '../../domain/incident.ts'
import { type Noun, PERSON } from '../tables/people.ts'
import { opening } from './template.ts'

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const

/** Words for numbers below ten, figures for others. */
export function numberInWords(number: number): string {
  return SMALL[number] ?? String(number)
}

/** `a farmer`, `one person`, `three farmers`. */
export function countedNoun(number: number, noun: Noun): string {
  return number === 1 && noun !== PERSON ? withArticle(noun[0]) : numbered(number, noun)
}

export function withArticle(noun: string): string {
  return `${'aeiou'.includes(noun.charAt(0)) ? 'an' : 'a'} ${noun}`
}

export function wasOrWere(number: number): string {
  return number === 1 ? 'was' : 'were'
}

export const HARMS = ['killed', 'injured', 'abducted'] as const satisfies readonly (keyof Casualties)[]
export type Harm = (typeof HARMS)[number]
export const PHYSICAL_HARMS = ['killed', 'injured'] as const satisfies readonly Harm[]

const ACTS = { killed: 'killing', injured: 'injuring', abducted: 'abducting' } as const
const STATES = { killed: 'dead', injured: 'injured', abducted: 'missing' } as const

export function hasCasualties(casualties: Casualties, harms: readonly Harm[]): boolean {
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
