import { readCount } from '../values.ts'
import type { UcdpField, Violence } from './ucdp-tables.ts'

type FieldReader = (field: UcdpField) => string

/** Begins the sentence about the deaths. */
export const ESTIMATE = " UCDP's best estimate is "

/** Writes the row's content as sentences, without adding anything. */
export function ucdpSummary(violence: Violence, killed: number | null, get: FieldReader): string {
  const one = named(get('sideA'))
  const deed =
    violence === 3 ? `Violence by ${one} against civilians` : `Fighting between ${one} and ${named(get('sideB'))}`
  const where = get('whereDescription') || get('whereCoordinates')
  const state = get('state')
  const places = [where, where.toLowerCase().includes(state.toLowerCase()) ? '' : state].filter((place) => place !== '')
  const location = places.length === 0 ? '' : `: ${places.join(', ')}`
  return `${deed}${location}.${deathsSentence(killed, get)}`
}

function named(side: string): string {
  return /^government/i.test(side) ? `the ${side}` : side
}

function deathsSentence(killed: number | null, get: FieldReader): string {
  if (killed === null) return ''
  // A few rows have low and high interchanged.
  const estimates = [readCount(get('low')) ?? killed, readCount(get('high')) ?? killed]
  const low = Math.min(...estimates)
  const high = Math.max(...estimates)
  const range = low === high ? '' : ` (between ${low} and ${high})`
  const deaths = killed === 0 ? 'no deaths' : killed === 1 ? '1 death' : `${killed} deaths`
  return `${ESTIMATE}${deaths}${range}.`
}
