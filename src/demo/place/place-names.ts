import type { Lga, State } from '../../domain/places.ts'

const CAPITAL_TERRITORY = 'NG-FC'
const CITIES = new Set(['NG-LA'])
const PART_OF_TOWN = /( (North|South|East|West|Central|Municipal|Waterside)([ -](East|West))?)$/

/** Derives the name of the LGA's main town from the LGA's name: `Aba` for Aba South. */
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

export function lgaPhrases(lga: Lga): readonly string[] {
  const state = statePhrase(lga.state)
  const area = lga.state.code === CAPITAL_TERRITORY ? `${lga.name} Area Council` : `${lga.name} LGA`
  return [`in ${area} of ${state}`, `in ${area} of ${state}`, `in ${state}'s ${area}`]
}

/** Phrases for a place that is named after its LGA's town. */
export function placePhrases(lga: Lga): readonly string[] {
  // Avoids repetitions as in "Isa town in Isa LGA"; "Aba town in Aba South LGA" is none.
  return townName(lga) === lga.name ? [`in ${statePhrase(lga.state)}`, lgaPhrases(lga)[0]!] : lgaPhrases(lga)
}

export function statePhrases(state: State): readonly string[] {
  const phrase = statePhrase(state)
  return [`in ${phrase}`, `at an undisclosed location in ${phrase}`, `in a remote part of ${phrase}`]
}

const SIDES = ['north', 'east', 'south', 'west'] as const

/** The cardinal direction of a bearing (in radians, clockwise from north). */
export function sideOf(bearing: number): string {
  return SIDES[Math.round(bearing / (Math.PI / 2)) % 4]!
}
