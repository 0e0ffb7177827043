import { didYouMean } from '../../../domain/errors.ts'
import type { Lga, PlaceLookup, Places, State } from '../../../domain/places.ts'
import { quote } from '../../parameter-values.ts'
import type { Filter } from '../filter.ts'
import type { FilterInput } from './input.ts'

export function parsePlaces(input: FilterInput, places: Places): Pick<Filter, 'states' | 'lgas'> {
  const states = parseStates(input, places)
  return { states, lgas: parseLgas(input, places, states) }
}

function parseStates(input: FilterInput, places: Places): readonly string[] | null {
  const names = input.list('state')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findState(name)
    if (found.kind === 'found') codes.add(found.place.code)
    else rejectState(input, name, found)
  }
  return codes.size === places.states.length ? null : [...codes].sort()
}

function rejectState(input: FilterInput, name: string, found: Exclude<PlaceLookup<State>, { kind: 'found' }>): void {
  input.reject('state', `${quote(name)} is not a state of Nigeria`, () =>
    didYouMean(found.kind === 'unknown' ? found.suggestions : found.places.map((place) => place.name)),
  )
}

function parseLgas(input: FilterInput, places: Places, states: readonly string[] | null): readonly string[] | null {
  const names = input.list('lga')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findLga(name, states && states.length > 0 ? states : null)
    if (found.kind === 'found') codes.add(found.place.code)
    else rejectLga(input, name, found)
  }
  return [...codes].sort()
}

function rejectLga(input: FilterInput, name: string, found: Exclude<PlaceLookup<Lga>, { kind: 'found' }>): void {
  if (found.kind === 'unknown') {
    input.reject('lga', `${quote(name)} is not a local government area of Nigeria`, () => didYouMean(found.suggestions))
    return
  }
  const states = found.places.map((place) => place.state.name).join(' and ')
  const codes = found.places.map((place) => place.code)
  if (found.kind === 'ambiguous')
    input.reject('lga', `${quote(name)} is in ${states}; give state as well, or the code`, () => ({ allowed: codes }))
  else input.reject('lga', `${quote(name)} is in ${states}, not in the given state`, () => ({ did_you_mean: codes }))
}
