import type { Incident } from '../domain/incident.ts'
import { TYPES } from '../domain/taxonomy.ts'

/** Returns for example `Gonin Gora, Chikun, Kaduna`. */
export function describePlace({ location, lga, state }: Incident): string {
  return [location.place, lga, state].filter((name) => name !== null).join(', ')
}

/** Returns for example `Kidnapping in Chikun, Kaduna`. */
export function headline({ type, lga, state }: Incident): string {
  return `${TYPES[type].label} in ${lga === null ? state : `${lga}, ${state}`}`
}
