import type { FieldError } from '../../domain/errors.ts'
import { keptPosition } from '../../domain/sites/positions.ts'
import { MAX_SITE_RADIUS_KM, MAX_SITE_TEXT, MAX_SITES, type Site } from '../../domain/sites/site.ts'
import { singleLine } from '../../domain/summary/summary.ts'
import { parseDecimal } from '../../lib/text/parse-decimal.ts'
import { csvRecords } from './csv-records.ts'

export type ReadSites = { readonly sites: readonly Site[] } | { readonly errors: readonly FieldError[] }

/** A site as given, before it is checked. */
interface GivenSite {
  readonly at: (member: string) => Pick<FieldError, 'pointer'> & { readonly prefix: string }
  readonly name: unknown
  readonly latitude: unknown
  readonly longitude: unknown
  readonly radius_km: unknown
  readonly reference: unknown
}

/** The first errors are enough to see what is wrong with a file. */
const MAX_ERRORS = 20
/** Nigeria, its waters and what lies within the largest radius of them. */
const REGION = { south: 2, north: 15, west: 1.5, east: 16 }
const COLUMNS = ['name', 'latitude', 'longitude', 'radius_km', 'reference'] as const

/** Reads the member `sites` of a JSON body. */
export function sitesInJson(value: unknown): ReadSites {
  if (!Array.isArray(value)) return refused('/sites', 'must be a list of sites')
  return checked(
    value.map((each: unknown, index): GivenSite => {
      const at = (member: string) => ({ pointer: `/sites/${index}${member && `/${member}`}`, prefix: '' })
      return { ...fieldsOf(each), at }
    }),
    '/sites',
  )
}

/** Reads a GeoJSON FeatureCollection of points, whose properties have the name and the radius. */
export function sitesInGeoJson(value: unknown): ReadSites {
  const { type, features } = recordOf(value)
  if (type !== 'FeatureCollection' || !Array.isArray(features))
    return refused('', 'must be a GeoJSON FeatureCollection of points')
  return checked(
    features.map((feature: unknown, index): GivenSite => {
      const { geometry, properties } = recordOf(feature)
      const { type: kind, coordinates } = recordOf(geometry)
      const [longitude, latitude] = kind === 'Point' && Array.isArray(coordinates) ? (coordinates as unknown[]) : []
      const at = (member: string) => {
        const inGeometry = member === 'latitude' || member === 'longitude'
        return {
          pointer: `/features/${index}/${inGeometry ? 'geometry' : `properties/${member}`}`,
          prefix: inGeometry ? `${member} ` : '',
        }
      }
      return { ...fieldsOf(properties), latitude, longitude, at }
    }),
    '/features',
  )
}

/** Reads CSV with a header line; errors name the line. */
export function sitesInCsv(text: string): ReadSites {
  const [header, ...records] = csvRecords(text)
  const columns = header?.cells.map((cell) => cell.toLowerCase()) ?? []
  const missing = COLUMNS.slice(0, 4).filter((name) => !columns.includes(name))
  if (missing.length > 0)
    return refused('', `line 1: has no column ${missing.join(', ')}; the header line is ${COLUMNS.join(',')}`)
  const unknown = columns.filter((name) => !COLUMNS.some((known) => known === name))
  if (unknown.length > 0)
    return refused(
      '',
      `line 1: has the unknown column ${JSON.stringify(unknown[0])}; the header line is ${COLUMNS.join(',')}`,
    )
  return checked(
    records.map(({ line, cells }): GivenSite => {
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
    }),
    '',
  )
}

function checked(given: readonly GivenSite[], pointer: string): ReadSites {
  if (given.length === 0) return refused(pointer, 'must have a site')
  if (given.length > MAX_SITES)
    return refused(pointer, `has ${given.length} sites; a list takes up to ${MAX_SITES.toLocaleString('en')}`)
  const errors: FieldError[] = []
  const sites: Site[] = []
  for (const each of given) {
    const site = checkedSite(each, errors)
    if (site !== null) sites.push(site)
    if (errors.length >= MAX_ERRORS) break
  }
  return errors.length > 0 ? { errors } : { sites }
}

function checkedSite(given: GivenSite, errors: FieldError[]): Site | null {
  const before = errors.length
  const reject = (member: string, message: string) => {
    const { pointer, prefix } = given.at(member)
    errors.push({ pointer: pointer ?? '', message: `${prefix}${message}` })
  }
  const within = (member: 'latitude' | 'longitude', low: number, high: number): number => {
    const value = given[member]
    if (typeof value !== 'number' || !Number.isFinite(value)) reject(member, 'must be a number in degrees')
    else if (value < low || value > high)
      reject(
        member,
        `must lie between ${low} and ${high}, in or near Nigeria, not ${value}; are latitude and longitude swapped?`,
      )
    else return value
    return 0
  }
  const name = textOf(given.name)
  if (name === null || name === '') reject('name', `must be a text of up to ${MAX_SITE_TEXT} characters`)
  const reference = given.reference === undefined || given.reference === null ? '' : textOf(given.reference)
  if (reference === null) reject('reference', `must be a text of up to ${MAX_SITE_TEXT} characters, or be left out`)
  const latitude = within('latitude', REGION.south, REGION.north)
  const longitude = within('longitude', REGION.west, REGION.east)
  const radiusKm = given.radius_km
  if (typeof radiusKm !== 'number' || !(radiusKm > 0) || radiusKm > MAX_SITE_RADIUS_KM)
    reject('radius_km', `must be a number above 0 and up to ${MAX_SITE_RADIUS_KM}`)
  if (errors.length > before) return null
  const position = keptPosition({ latitude, longitude, radiusKm: radiusKm as number })
  return { name: name!, ...position, reference: reference || null }
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

function refused(pointer: string, message: string): ReadSites {
  return { errors: [{ pointer, message }] }
}
