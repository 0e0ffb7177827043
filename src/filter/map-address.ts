import { tooManyValues } from '../domain/errors.ts'
import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import { SEVERITIES, TYPE_NAMES, TYPES } from '../domain/taxonomy.ts'
import { suggestNames } from '../lib/similar-names.ts'
import { parseTime } from '../lib/time.ts'
import {
  DEFAULT_MAP_PERIOD,
  fitWindow,
  MAP_PERIOD_NAMES,
  type MapPeriod,
  periodEndingAt,
  type TimeWindow,
} from './map-periods.ts'
import { isOneOf, MAX_LIST_VALUES, MAX_VALUE_LENGTH } from './parameters.ts'

/** The filters that the map's URL takes besides its times and its box, named as in the API. */
export const VIEW_FILTERS = ['state', 'lga', 'type', 'severity', 'min_confidence', 'near', 'radius_km'] as const

/**
 * Returns the API's filter parameters for a map URL. The times are `from` and `to` at the edges of
 * the timeline's bars, so that list, counts and tiles cover the same time.
 */
export function filterInAddress(address: URLSearchParams, now: number): URLSearchParams {
  const filter = new URLSearchParams()
  for (const name of VIEW_FILTERS) {
    for (const value of address.getAll(name)) if (value) filter.append(name, value)
  }
  const { period, window } = timesInAddress(address)
  const { from, to } = window ?? periodEndingAt(period, now) ?? { from: null, to: null }
  if (from !== null) filter.set('from', from)
  if (to !== null) filter.set('to', to)
  const box = boxInAddress(address)
  if (box !== null) filter.set('bbox', box.join(','))
  return filter
}

/** Returns the period and the window within it; the period may differ from the one asked for. */
export function timesInAddress(address: URLSearchParams): { period: MapPeriod; window: TimeWindow | null } {
  const period = mapPeriodIn(address)
  const [from, to] = [momentIn(address.get('from')), momentIn(address.get('to'))]
  if (from === null || to === null || from >= to) return { period, window: null }
  return fitWindow(period, { from: new Date(from).toISOString(), to: new Date(to).toISOString() })
}

export function mapPeriodIn(address: URLSearchParams): MapPeriod {
  return MAP_PERIOD_NAMES.find((name) => name === address.get('span')) ?? DEFAULT_MAP_PERIOD
}

/** Keeps times within the years that ISO 8601 writes with four digits. */
const [FIRST_MOMENT, LAST_MOMENT] = [Date.UTC(1000, 0, 1), Date.UTC(9000, 0, 1)]

/** A date is the midnight in Nigeria that it begins with. */
function momentIn(text: string | null): number | null {
  if (text === null) return null
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? parseTime(`${text}T00:00:00+01:00`) : parseTime(text)
  return time === null || time < FIRST_MOMENT || time > LAST_MOMENT ? null : time
}

/** West, south, east, north, in degrees. */
export type BoundingBox = readonly [number, number, number, number]

/** Reads `box=west,south,east,north`; null if it is absent or no box. */
export function boxInAddress(address: URLSearchParams): BoundingBox | null {
  const parts = (address.get('box') ?? '').split(',', 5)
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,8})?$/.test(part))) return null
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number]
  const isOrdered = west <= east && south <= north
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90
  return isOrdered && isOnEarth ? [west, south, east, north] : null
}

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

/** Similar names cost a search among all; a link with more errors is no typing error. */
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
    if (values.size === 0) address.delete(parameter)
    else address.set(parameter, [...values].join(','))
    return [...values]
  }
  const states = readList('state', (text, mayGuess) => readPlace(text, mayGuess, (name) => places.findState(name)))
  const within = states.length > 0 ? states : null
  readList('lga', (text, mayGuess) => readPlace(text, mayGuess, (name) => places.findLga(name, within)))
  readList('type', (text, mayGuess) => readName(text, mayGuess, TYPE_NAMES, (name) => TYPES[name].label))
  readList('severity', (text, mayGuess) => readName(text, mayGuess, SEVERITIES, (name) => name))
  const leaveOut = (parameter: string, ...also: string[]) => {
    corrections.push({ parameter, given: (address.get(parameter) ?? '').slice(0, 60), readAs: null })
    for (const name of [parameter, ...also]) address.delete(name)
  }
  if (isWrong(address, 'span', (text) => isOneOf(MAP_PERIOD_NAMES, text))) leaveOut('span')
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

type FindPlace = (name: string) => PlaceLookup<State | Lga>

function readPlace(text: string, mayGuess: boolean, find: FindPlace): Reading {
  const found = find(text)
  const [nearest] = mayGuess && found.kind === 'unknown' ? found.suggestions : []
  const guess = nearest === undefined ? found : find(nearest)
  if (guess.kind !== 'found') return null
  return { value: guess.place.code, name: guess.place.name, corrected: guess !== found }
}

function readName<Name extends string>(
  text: string,
  mayGuess: boolean,
  values: readonly Name[],
  nameOf: (value: Name) => string,
): Reading {
  const isExact = isOneOf(values, text)
  const [nearest] = isExact ? [text] : mayGuess ? suggestNames(text.replaceAll(' ', '_'), values, 1) : []
  return nearest === undefined ? null : { value: nearest, name: nameOf(nearest as Name), corrected: !isExact }
}
