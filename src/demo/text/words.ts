import type { Casualties } from '../../domain/incident.ts'
import { type Noun, PERSON } from '../tables/people.ts'
import { opening } from './template.ts'

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const

/** Words below ten, figures from there on. */
export function inWords(number: number): string {
  return SMALL[number] ?? String(number)
}

/** `a farmer`, `one person`, `three farmers`. */
export function counted(number: number, noun: Noun): string {
  return number === 1 && noun !== PERSON ? withArticle(noun[0]) : numbered(number, noun)
}

export function withArticle(noun: string): string {
  return `${'aeiou'.includes(noun.charAt(0)) ? 'an' : 'a'} ${noun}`
}

export function were(number: number): string {
  return number === 1 ? 'was' : 'were'
}

export const HARMS = ['killed', 'injured', 'abducted'] as const satisfies readonly (keyof Casualties)[]
export type Harm = (typeof HARMS)[number]
export const HURT = ['killed', 'injured'] as const satisfies readonly Harm[]

const ACTS = { killed: 'killing', injured: 'injuring', abducted: 'abducting' } as const
const STATES = { killed: 'dead', injured: 'injured', abducted: 'missing' } as const

export function anySuffered(toll: Casualties, harms: readonly Harm[]): boolean {
  return harms.some((harm) => Boolean(toll[harm]))
}

/** `, killing two farmers, injuring another and abducting five others`. */
export function doing(toll: Casualties, harms: readonly Harm[], noun: Noun): string {
  const list = listed(toll, harms, noun, (who, harm) => `${ACTS[harm]} ${who}`)
  return list && `, ${list}`
}

/** `, leaving two farmers dead and five others injured`. */
export function leaving(toll: Casualties, noun: Noun): string {
  const list = listed(toll, HURT, noun, (who, harm) => `${who} ${STATES[harm]}`)
  return list && `, leaving ${list}`
}

/** `two farmers were killed and another was injured`. */
export function suffering(toll: Casualties, harms: readonly Harm[], noun: Noun): string {
  return listed(toll, harms, noun, (who, harm, number) => `${who} ${were(number)} ${harm}`)
}

const OTHER_PERSON: Noun = ['other person', 'other people']

/** A sentence of its own about victims that the one before did not mention. */
export function alsoSuffered(toll: Casualties, harms: readonly Harm[], afterOthers: boolean): string {
  return `${opening(suffering(toll, harms, afterOthers ? OTHER_PERSON : PERSON))}.`
}

type Clause = (who: string, harm: Harm, number: number) => string

function listed(toll: Casualties, harms: readonly Harm[], noun: Noun, clause: Clause): string {
  let list = ''
  let last = ''
  let clauses = 0
  for (const harm of harms) {
    const number = toll[harm]
    if (!number) continue
    if (clauses > 1) list += ', '
    list += last
    last = clause(clauses === 0 ? numbered(number, noun) : others(number, clauses), harm, number)
    clauses++
  }
  return clauses > 1 ? `${list} and ${last}` : last
}

function numbered(number: number, [one, many]: Noun): string {
  return `${inWords(number)} ${number === 1 ? one : many}`
}

function others(number: number, before: number): string {
  if (number === 1) return before === 1 ? 'another' : 'one more'
  return `${inWords(number)} ${before === 1 ? 'others' : 'more'}`
}
