import { tooManyValues } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES, TYPE_NAMES, TYPES } from '../../domain/taxonomy.ts'
import { suggestNames } from '../../lib/similar-names.ts'
import { MAX_LIST_VALUES, MAX_VALUE_LENGTH } from '../filter/parameters.ts'
import { MAP_PERIOD_NAMES } from './map-periods.ts'
import { boxInAddress, timesInAddress } from './map-view.ts'

/** A part of a link that was not understood as it stands. */
export interface AddressCorrection {
  readonly parameter: string
  readonly given: string
  /** The name that it was read as; null if the part was left out. */
  readonly readAs: string | null
}

export interface MapAddress {
  /** The address with codes for places, and without the parts that could not be read. */
  readonly address: URLSearchParams
  readonly corrections: readonly AddressCorrection[]
  /** The names of the places in the address, by code. */
  readonly names: Readonly<Record<string, string>>
}

/** A value as the API takes it, with the name that it was read as if it had to be corrected. */
type Reading = { readonly value: string; readonly name: string; readonly corrected: boolean } | null

/**
 * Looking for similar names compares with every name; a link with more errors is no typing error.
 */
const MAX_CORRECTED = 5

/**
 * Reads the address of the map as a person meant it: a mistyped name is read as the nearest one,
 * and what cannot be read is left out. Both are reported. Throws a `Problem` for a list without
 * end.
 */
export function readMapAddress(given: URLSearchParams, places: Places): MapAddress {
  const address = new URLSearchParams(given)
  const corrections: AddressCorrection[] = []
  const names: Record<string, string> = {}
  const readList = (parameter: string, read: (text: string, mayGuess: boolean) => Reading) => {
    if (!address.has(parameter)) return []
    const values = new Set<string>()
    for (const text of valuesOf(address, parameter)) {
      const reading = read(text.slice(0, MAX_VALUE_LENGTH), corrections.length < MAX_CORRECTED)
      if (reading !== null) {
        values.add(reading.value)
        names[reading.value] = reading.name
      }
      if (reading === null || reading.corrected)
        corrections.push({ parameter, given: text.slice(0, 60), readAs: reading?.name ?? null })
    }
    put(address, parameter, [...values].join(','))
    return [...values]
  }
  const states = readList('state', (text, mayGuess) => readState(text, mayGuess, places))
  readList('lga', (text, mayGuess) => readLga(text, mayGuess, states, places))
  readList('type', (text, mayGuess) =>
    readName(text, mayGuess, TYPE_NAMES, (name) => TYPES[name as keyof typeof TYPES].label),
  )
  readList('severity', (text, mayGuess) => readName(text, mayGuess, SEVERITIES, (name) => name))
  const leaveOut = (parameter: string, ...also: string[]) => {
    corrections.push({ parameter, given: (address.get(parameter) ?? '').slice(0, 60), readAs: null })
    for (const name of [parameter, ...also]) address.delete(name)
  }
  if (isWrong(address, 'span', (text) => (MAP_PERIOD_NAMES as readonly string[]).includes(text))) leaveOut('span')
  if (isWrong(address, 'min_confidence', (text) => /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)))
    leaveOut('min_confidence')
  if (isWrong(address, 'box', () => boxInAddress(address) !== null)) leaveOut('box')
  if (timesInAddress(address).window === null) {
    if (address.get('from')) leaveOut('from', 'to')
    else if (address.get('to')) leaveOut('to')
  }
  return { address, corrections, names }
}

function isWrong(address: URLSearchParams, parameter: string, isRight: (text: string) => boolean): boolean {
  const text = address.get(parameter)
  return text !== null && text !== '' && !isRight(text)
}

function valuesOf(address: URLSearchParams, parameter: string): string[] {
  const values = address
    .getAll(parameter)
    .slice(0, MAX_LIST_VALUES + 1)
    .flatMap((text) => text.split(',', MAX_LIST_VALUES + 1))
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (values.length > MAX_LIST_VALUES)
    throw tooManyValues({ parameter }, `takes at most ${MAX_LIST_VALUES} values in one request`)
  return values
}

function readState(text: string, mayGuess: boolean, places: Places): Reading {
  const found = places.findState(text)
  if (found.kind === 'found') return { value: found.place.code, name: found.place.name, corrected: false }
  const [nearest] = mayGuess && found.kind === 'unknown' ? found.suggestions : []
  const guess = nearest === undefined ? null : places.findState(nearest)
  return guess?.kind === 'found' ? { value: guess.place.code, name: guess.place.name, corrected: true } : null
}

function readLga(text: string, mayGuess: boolean, states: readonly string[], places: Places): Reading {
  const within = states.length > 0 ? states : null
  const found = places.findLga(text, within)
  if (found.kind === 'found') return { value: found.place.code, name: found.place.name, corrected: false }
  const [nearest] = mayGuess && found.kind === 'unknown' ? found.suggestions : []
  const guess = nearest === undefined ? null : places.findLga(nearest, within)
  return guess?.kind === 'found' ? { value: guess.place.code, name: guess.place.name, corrected: true } : null
}

function readName(
  text: string,
  mayGuess: boolean,
  values: readonly string[],
  nameOf: (value: string) => string,
): Reading {
  const value = values.find((one) => one === text)
  if (value !== undefined) return { value, name: nameOf(value), corrected: false }
  const [nearest] = mayGuess ? suggestNames(text.replaceAll(' ', '_'), values, 1) : []
  return nearest === undefined ? null : { value: nearest, name: nameOf(nearest), corrected: true }
}

function put(address: URLSearchParams, parameter: string, value: string): void {
  if (value === '') address.delete(parameter)
  else address.set(parameter, value)
}
