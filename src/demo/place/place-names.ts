import type { Lga, State } from '../../domain/places.ts'

const CAPITAL_TERRITORY = 'NG-FC'
const CITIES = new Set(['NG-LA'])
const PART_OF_TOWN = /( (North|South|East|West|Central|Municipal|Waterside)([ -](East|West))?)$/

/** The name of the LGA's chief town, as far as the LGA's own name tells: `Aba` for Aba South. */
export function townName(lga: Lga): string {
  return lga.name.replace(PART_OF_TOWN, '').split('/')[0]!
}

export function townPhrase(lga: Lga): string {
  const name = townName(lga)
  return CITIES.has(lga.state.code) || name === 'Abuja' ? name : `${name} town`
}

export function statePhrase(state: State): string {
  return state.code === CAPITAL_TERRITORY ? 'the Federal Capital Territory' : `${state.name} State`
}

/** Several ways to say where an LGA is. */
export function lgaPhrases(lga: Lga): readonly string[] {
  const state = statePhrase(lga.state)
  const area = lga.state.code === CAPITAL_TERRITORY ? `${lga.name} Area Council` : `${lga.name} LGA`
  return [`in ${area} of ${state}`, `in ${area} of ${state}`, `in ${state}'s ${area}`]
}

/** Several ways to say where a place is that is named after its LGA's town. */
export function placePhrases(lga: Lga): readonly string[] {
  // "Isa town in Isa LGA" says it twice; "Aba town in Aba South LGA" does not.
  return townName(lga) === lga.name ? [`in ${statePhrase(lga.state)}`, lgaPhrases(lga)[0]!] : lgaPhrases(lga)
}

export function statePhrases(state: State): readonly string[] {
  const phrase = statePhrase(state)
  return [`in ${phrase}`, `at an undisclosed location in ${phrase}`, `in a remote part of ${phrase}`]
}

const SIDES = ['north', 'east', 'south', 'west'] as const

/** The side that a bearing (in radians, clockwise from north) points to. */
export function sideOf(bearing: number): string {
  return SIDES[Math.round(bearing / (Math.PI / 2)) % 4]!
}
