import { didYouMean, type FieldError } from '../../domain/errors.ts'
import type { Lga, PlaceLookup, Places, State } from '../../domain/places.ts'

export interface NamedArea {
  readonly state: State | null
  readonly lga: Lga | null
}

/** Resolves state and LGA; adds wrong names to `errors`. */
export function resolveNames(
  { state, lga }: { readonly state: string | null; readonly lga: string | null },
  places: Places,
  errors: FieldError[],
): NamedArea {
  const namedState = state === null ? null : stateNamed(state, places, errors)
  // An LGA cannot be checked against an unknown state.
  if (lga === null || (state !== null && namedState === null)) return { state: namedState, lga: null }
  const namedLga = lgaNamed(lga, namedState, places, errors)
  return { state: namedState ?? namedLga?.state ?? null, lga: namedLga }
}

function stateNamed(name: string, places: Places, errors: FieldError[]): State | null {
  const found = places.findState(name)
  if (found.kind === 'found') return found.place
  errors.push(unknown('/state', name, 'a state of Nigeria', found))
  return null
}

function lgaNamed(name: string, state: State | null, places: Places, errors: FieldError[]): Lga | null {
  const found = places.findLga(name, state && [state.code])
  if (found.kind === 'found') return found.place
  if (found.kind === 'unknown') {
    errors.push(unknown('/lga', name, state ? `an LGA of ${state.name}` : 'an LGA of Nigeria', found))
  } else {
    const states = found.places.map((place) => place.state.name).join(' and ')
    const message =
      found.kind === 'ambiguous'
        ? `"${name}" is in ${states}: name the state`
        : `"${name}" lies in ${states}, not in ${state!.name}`
    errors.push({ pointer: '/lga', message, allowed: found.places.map(({ code }) => code) })
  }
  return null
}

function unknown(pointer: string, name: string, what: string, found: PlaceLookup<unknown>): FieldError {
  const near = found.kind === 'unknown' ? found.suggestions : []
  return { pointer, message: `"${name.slice(0, 60)}" is not ${what}`, ...didYouMean(near) }
}
