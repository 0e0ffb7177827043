import { areaSlug, type Lga, type PlaceLookup, type Places, type State } from '../../../domain/places.ts'
import { type Area, COUNTRY, lgaArea, stateArea } from './area.ts'

/** What an address names. */
export type FoundArea =
  | { readonly kind: 'found'; readonly area: Area }
  /** The address spells the area in another way: by a code, an old name, in capitals. */
  | { readonly kind: 'moved'; readonly area: Area }
  /** The areas that may be meant; `within` is what could be read. */
  | { readonly kind: 'unknown'; readonly within: Area; readonly suggestions: readonly Area[] }

/** Finds the area that `/nigeria/{state}/{lga}` names; null is a part that the address lacks. */
export function findArea(places: Places, stateText: string | null, lgaText: string | null): FoundArea {
  if (stateText === null) return { kind: 'found', area: COUNTRY }
  const state = places.findState(stateText)
  if (state.kind !== 'found')
    return lgaText === null ? withoutState(places, stateText, state) : unknownState(places, state)
  const { place } = state
  if (lgaText === null) return named(stateArea(place), areaSlug(place.name) === stateText)
  const lga = places.findLga(lgaText, [place.code])
  if (lga.kind === 'found')
    return named(lgaArea(lga.place), areaSlug(place.name) === stateText && areaSlug(lga.place.name) === lgaText)
  return { kind: 'unknown', within: stateArea(place), suggestions: suggestedLgas(places, lga, place) }
}

function named(area: Area, isCanonical: boolean): FoundArea {
  return { kind: isCanonical ? 'found' : 'moved', area }
}

/** `/nigeria/chikun` lacks the state, which is no question where only one state has such an LGA. */
function withoutState(places: Places, text: string, state: PlaceLookup<State>): FoundArea {
  const lga = places.findLga(text, null)
  if (lga.kind === 'found') return { kind: 'moved', area: lgaArea(lga.place) }
  const unknown = unknownState(places, state)
  if (lga.kind === 'ambiguous') return { ...unknown, suggestions: lga.places.map(lgaArea) }
  if (unknown.suggestions.length > 0) return unknown
  return { ...unknown, suggestions: suggestedLgas(places, lga, null) }
}

function unknownState(places: Places, state: PlaceLookup<State>): Extract<FoundArea, { kind: 'unknown' }> {
  const names = state.kind === 'unknown' ? state.suggestions : []
  const states = places.states.filter(({ name }) => names.includes(name))
  return { kind: 'unknown', within: COUNTRY, suggestions: states.map(stateArea) }
}

/** An LGA of that name in another state, or one with a similar name. */
function suggestedLgas(places: Places, lookup: PlaceLookup<Lga>, state: State | null): Area[] {
  if (lookup.kind === 'elsewhere' || lookup.kind === 'ambiguous') return lookup.places.map(lgaArea)
  const names = lookup.kind === 'unknown' ? lookup.suggestions : []
  return places.lgas.filter((lga) => (state === null || lga.state === state) && names.includes(lga.name)).map(lgaArea)
}
