import type { Incident } from '../domain/incident.ts'
import { TYPES } from '../domain/taxonomy.ts'

/** Returns `Gonin Gora, Chikun, Kaduna`, for example. */
export function describePlace({ location, lga, state }: Incident): string {
  return [location.place, lga, state].filter((name) => name !== null).join(', ')
}

/** Returns `Kidnapping in Chikun, Kaduna`, for example. */
export function headline({ type, lga, state }: Incident): string {
  return `${TYPES[type].label} in ${lga === null ? state : `${lga}, ${state}`}`
}
