import type { Found, Lga, Places, State } from '../../../domain/places.ts'
import type { Filter } from '../filter.ts'
import { quote, type Reader } from './reader.ts'

export function readPlaces(reader: Reader, places: Places): Pick<Filter, 'states' | 'lgas'> {
  const states = readStates(reader, places)
  return { states, lgas: readLgas(reader, places, states) }
}

function readStates(reader: Reader, places: Places): readonly string[] | null {
  const names = reader.parts('state')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findState(name)
    if (found.kind === 'found') codes.add(found.place.code)
    else refuseState(reader, name, found)
  }
  return codes.size === places.states.length ? null : [...codes].sort()
}

function refuseState(reader: Reader, name: string, found: Exclude<Found<State>, { kind: 'found' }>): void {
  const suggestions = found.kind === 'unknown' ? found.suggestions : found.places.map((place) => place.name)
  reader.refuse(
    'state',
    `${quote(name)} is not a state of Nigeria`,
    suggestions.length > 0 ? { did_you_mean: suggestions } : {},
  )
}

function readLgas(reader: Reader, places: Places, states: readonly string[] | null): readonly string[] | null {
  const names = reader.parts('lga')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findLga(name, states && states.length > 0 ? states : null)
    if (found.kind === 'found') codes.add(found.place.code)
    else refuseLga(reader, name, found)
  }
  return [...codes].sort()
}

function refuseLga(reader: Reader, name: string, found: Exclude<Found<Lga>, { kind: 'found' }>): void {
  if (found.kind === 'unknown') {
    const more = found.suggestions.length > 0 ? { did_you_mean: found.suggestions } : {}
    reader.refuse('lga', `${quote(name)} is not a local government area of Nigeria`, more)
    return
  }
  const states = found.places.map((place) => place.state.name).join(' and ')
  const codes = found.places.map((place) => place.code)
  if (found.kind === 'ambiguous')
    reader.refuse('lga', `${quote(name)} is in ${states}; give state as well, or the code`, { allowed: codes })
  else reader.refuse('lga', `${quote(name)} is in ${states}, not in the state asked for`, { did_you_mean: codes })
}
