import type { FieldError } from '../domain/errors.ts'
import { keptPosition, MAX_SITE_RADIUS_KM, MAX_SITE_TEXT, MAX_SITES, type Site } from '../domain/sites.ts'
import { singleLine } from '../domain/summary.ts'
import { KM_PER_DEGREE } from '../lib/geometry.ts'
import { parseDecimal } from '../lib/text.ts'

type IsInNigeria = (lat: number, lng: number) => boolean
export type ReadSites = { readonly sites: readonly Site[] } | { readonly errors: readonly FieldError[] }

/** A site as given, before it is checked. */
interface GivenSite extends Record<(typeof COLUMNS)[number], unknown> {
  readonly at: (member: string) => { readonly pointer: string; readonly prefix: string }
}

/** The first errors are enough to see what is wrong with a file. */
const MAX_ERRORS = 20
/** Characters of a wrong value that an error repeats. */
const MAX_SHOWN = 40
/** Nigeria, its waters and what lies within the largest radius of them. */
const REGION = { latitude: { low: 2, high: 15 }, longitude: { low: 1.5, high: 16 } }
const SIZE_RULE = `a list takes up to ${MAX_SITES.toLocaleString('en')} sites`
const COLUMNS = ['name', 'latitude', 'longitude', 'radius_km', 'reference'] as const

/** Reads the member `sites` of a JSON body. */
export function sitesInJson(value: unknown, isInNigeria: IsInNigeria): ReadSites {
  if (!Array.isArray(value)) return refused('/sites', 'must be a list of sites')
  if (value.length > MAX_SITES) return tooMany('/sites', value.length)
  const given = value.map((each: unknown, index): GivenSite => {
    const at = (member: string) => ({ pointer: `/sites/${index}${member && `/${member}`}`, prefix: '' })
    return { ...fieldsOf(each), at }
  })
  return checked(given, '/sites', isInNigeria)
}

/** Reads a GeoJSON FeatureCollection of points, whose properties have the name and the radius. */
export function sitesInGeoJson(value: unknown, isInNigeria: IsInNigeria): ReadSites {
  const { type, features } = recordOf(value)
  if (type !== 'FeatureCollection' || !Array.isArray(features))
    return refused('', 'must be a GeoJSON FeatureCollection of points')
  if (features.length > MAX_SITES) return tooMany('/features', features.length)
  const given = features.map((feature: unknown, index): GivenSite => {
    const { geometry, properties } = recordOf(feature)
    const { type: kind, coordinates } = recordOf(geometry)
    const [longitude, latitude] = kind === 'Point' && Array.isArray(coordinates) ? (coordinates as unknown[]) : []
    const at = (member: string) =>
      member === 'latitude' || member === 'longitude'
        ? { pointer: `/features/${index}/geometry`, prefix: `${member} ` }
        : { pointer: `/features/${index}/properties/${member}`, prefix: '' }
    return { ...fieldsOf(properties), latitude, longitude, at }
  })
  return checked(given, '/features', isInNigeria)
}

/** Reads CSV with a header line; errors name the line. */
export function sitesInCsv(text: string, isInNigeria: IsInNigeria): ReadSites {
  // The header is a record too.
  const read = csvRecords(text, MAX_SITES + 1, SIZE_RULE)
  if ('message' in read) return refused('', `line ${read.line}: ${read.message}`)
  const [header, ...records] = read
  const columns = header?.cells.map((cell) => cell.toLowerCase()) ?? []
  const fault = headerFault(columns)
  if (fault !== null) return refused('', `line 1: ${fault}; the header line is ${COLUMNS.join(',')}`)
  const long = records.find(({ cells }) => cells.length > columns.length)
  if (long !== undefined)
    return refused(
      '',
      `line ${long.line}: has ${long.cells.length} cells, and the header ${columns.length}; a text with a comma is written in quotes`,
    )
  const given = records.map(({ line, cells }): GivenSite => {
    const cell = (name: (typeof COLUMNS)[number]) => cells[columns.indexOf(name)] || undefined
    const number = (name: (typeof COLUMNS)[number]) => {
      const text = cell(name)
      return text === undefined ? undefined : (parseDecimal(text) ?? text)
    }
    return {
      at: (member) => ({ pointer: '', prefix: `line ${line}: ${member} ` }),
      name: cell('name'),
      latitude: number('latitude'),
      longitude: number('longitude'),
      radius_km: number('radius_km'),
      reference: cell('reference'),
    }
  })
  return checked(given, '', isInNigeria)
}

function headerFault(columns: readonly string[]): string | null {
  const missing = COLUMNS.slice(0, 4).filter((name) => !columns.includes(name))
  const other = columns.length === 1 ? /[;\t]/.exec(columns[0]!) : null
  if (other !== null) return `has ${other[0] === ';' ? 'semicolons' : 'tabs'} between the columns, not commas`
  if (missing.length > 0) return `has no column ${missing.join(', ')}`
  const wrong = columns.find((name, at) => !COLUMNS.some((known) => known === name) || columns.indexOf(name) !== at)
  if (wrong === undefined) return null
  const why = columns.indexOf(wrong) === columns.lastIndexOf(wrong) ? 'unknown column' : 'repeated column'
  return `has the ${why} ${shown(wrong)}`
}

function checked(given: readonly GivenSite[], pointer: string, isInNigeria: IsInNigeria): ReadSites {
  if (given.length === 0) return refused(pointer, 'must have a site')
  const errors: FieldError[] = []
  const sites: Site[] = []
  for (const each of given) {
    const site = checkedSite(each, errors)
    if (site !== null) sites.push(site)
    if (errors.length >= MAX_ERRORS) break
  }
  if (errors.length > 0) return { errors }
  const swapped = swappedFault(sites, isInNigeria)
  return swapped === null ? { sites } : refused(pointer, swapped)
}

function checkedSite(given: GivenSite, errors: FieldError[]): Site | null {
  const before = errors.length
  const reject = (member: string, message: string) => {
    const { pointer, prefix } = given.at(member)
    errors.push({ pointer, message: `${prefix}${message}` })
  }
  const within = (member: 'latitude' | 'longitude'): number => {
    const value = given[member]
    const { low, high } = REGION[member]
    if (typeof value !== 'number' || !Number.isFinite(value)) reject(member, `must be a number in degrees${not(value)}`)
    else if (value < low || value > high)
      reject(member, `must lie between ${low} and ${high}, in or near Nigeria, not ${value}${swapHint(given)}`)
    else return value
    return 0
  }
  const name = textOf(given.name)
  if (name === null || name === '') reject('name', `must be a text of up to ${MAX_SITE_TEXT} characters`)
  const reference = given.reference === undefined || given.reference === null ? '' : textOf(given.reference)
  if (reference === null) reject('reference', `must be a text of up to ${MAX_SITE_TEXT} characters, or be left out`)
  const latitude = within('latitude')
  const longitude = within('longitude')
  const radiusKm = given.radius_km
  if (typeof radiusKm !== 'number' || !(radiusKm > 0) || radiusKm > MAX_SITE_RADIUS_KM)
    reject('radius_km', `must be a number above 0 and up to ${MAX_SITE_RADIUS_KM}${not(radiusKm)}`)
  if (errors.length > before) return null
  const position = keptPosition({ latitude, longitude, radiusKm: radiusKm as number })
  return { name: name!, ...position, reference: reference || null }
}

/** Says so if the position would be right the other way round. */
function swapHint({ latitude, longitude }: GivenSite): string {
  const isWithin = (member: 'latitude' | 'longitude', value: unknown) =>
    typeof value === 'number' && value >= REGION[member].low && value <= REGION[member].high
  const isSwapped = isWithin('latitude', longitude) && isWithin('longitude', latitude)
  return isSwapped ? '; latitude and longitude look swapped' : ''
}

/** The value that was given instead, for the end of a message. */
function not(value: unknown): string {
  if (value === undefined) return ', and is missing'
  return typeof value === 'string' || typeof value === 'number' ? `, not ${shown(value)}` : ''
}

function shown(value: string | number): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : String(value)
}

/** Null if it is no text, or too long. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_SITE_TEXT) return null
  return singleLine(value)
}

function fieldsOf(value: unknown): Omit<GivenSite, 'at'> {
  const { name, latitude, longitude, radius_km, reference } = recordOf(value)
  return { name, latitude, longitude, radius_km, reference }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Found before anything is made of the sites: a body may have millions. */
function tooMany(pointer: string, count: number): ReadSites {
  return refused(pointer, `has ${count} sites; ${SIZE_RULE}`)
}

function refused(pointer: string, message: string): ReadSites {
  return { errors: [{ pointer, message }] }
}

/** Sites that are looked at, spread over the list: they are right or wrong together. */
const SAMPLE = 100
const DIRECTIONS = Array.from({ length: 8 }, (_, eighth) => (eighth * Math.PI) / 4)

/**
 * Many positions in Nigeria lie within its box the other way round too, some of them in the sea or
 * abroad. If most of the sites could never have an incident near them, and each of those would lie
 * in Nigeria the other way round, says that latitude and longitude are swapped; otherwise returns
 * null.
 */
function swappedFault(sites: readonly Site[], isInNigeria: IsInNigeria): string | null {
  const step = Math.max(1, Math.ceil(sites.length / SAMPLE))
  const sample = sites.filter((_, at) => at % step === 0)
  const idle = sample.filter((site) => !reachesNigeria(site, isInNigeria))
  if (idle.length * 2 <= sample.length) return null
  if (!idle.every(({ latitude, longitude }) => isInNigeria(longitude, latitude))) return null
  const { latitude, longitude } = idle[0]!
  return `latitude and longitude look swapped: most sites lie outside Nigeria, such as ${latitude}, ${longitude}, and would lie in it the other way round`
}

/** Looks at the middle and at eight points of the circle. */
function reachesNigeria({ latitude, longitude, radiusKm }: Site, isInNigeria: IsInNigeria): boolean {
  const reach = radiusKm / KM_PER_DEGREE
  return (
    isInNigeria(latitude, longitude) ||
    DIRECTIONS.some((turn) => isInNigeria(latitude + reach * Math.sin(turn), longitude + reach * Math.cos(turn)))
  )
}

/** No table that is read here has more columns; a text of nothing but commas is not kept. */
const MAX_CELLS = 100
const LINE_BREAK = /\r\n|\n|\r/g

/** A line of a table, with its number in the file, from 1. */
interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** Why a text is no CSV, in words that follow the line's number. */
type CsvFault = { readonly line: number; readonly message: string }

/**
 * Splits CSV as RFC 4180 writes it: quoted cells may have commas, quotes and line breaks. Empty
 * lines are left out. A text whose quotes do not match is refused: guessing would join or cut
 * lines. Nothing is read after the record that is one too many: a few megabytes may have millions.
 */
export function csvRecords(given: string, most: number, tooMany: string): CsvRecord[] | CsvFault {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  const records: CsvRecord[] = []
  const plainEnd = /[,\r\n]|$/g
  let cells: string[] = []
  let line = 1
  let start = 1
  let at = 0
  while (at <= text.length) {
    let end: number
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1)
      if (close === -1) return { line, message: 'a quote is opened and never closed' }
      const quoted = text.slice(at + 1, close)
      cells.push(quoted.replaceAll('""', '"').trim())
      line += quoted.match(LINE_BREAK)?.length ?? 0
      end = close + 1
      if (end < text.length && !/[,\r\n]/.test(text[end]!))
        return { line, message: 'text follows a closing quote; write a quote within quotes twice' }
    } else {
      plainEnd.lastIndex = at
      end = plainEnd.exec(text)!.index
      const plain = text.slice(at, end)
      if (plain.includes('"')) return { line, message: 'a quote stands inside a cell that does not begin with one' }
      cells.push(plain.trim())
    }
    if (cells.length > MAX_CELLS) return { line: start, message: `has more than ${MAX_CELLS} cells` }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (text[end] === ',') continue
    if (cells.some((cell) => cell !== '')) {
      if (records.length === most) return { line: start, message: tooMany }
      records.push({ line: start, cells })
    }
    cells = []
    start = ++line
  }
  return records
}

/** The first quote from `from` on that is not doubled; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
