import { createHash } from 'node:crypto'
import type { FieldError } from '../../domain/errors.ts'
import { derivedIdentifier, newIdentifier } from '../../domain/identifier.ts'
import { PLACE_KINDS, type PlaceKind, type PlaceSource, type StoredPlace } from '../../domain/places.ts'
import { singleLine } from '../../domain/summary.ts'
import { isOneOf } from '../../filter/parameters.ts'
import type { Locate } from '../../geo/geography.ts'
import { nameKey } from '../../geo/names.ts'
import { distanceKm } from '../../lib/geometry.ts'
import { isStorable, UNSTORABLE } from '../../lib/text.ts'
import { type Open, type Position, type RejectedRow, rejected, UnreadableFile } from '../importing/formats/format.ts'
import { FeatureSplitter } from '../importing/formats/geojson.ts'
import { LineSplitter, readRows } from '../importing/formats/rows.ts'

/** Reasons why a row is left out, though nothing is wrong with it. */
export const LEFT_OUT = {
  kind: 'of a kind that is not kept',
  unnamed: 'without a name in Latin letters',
  outside: 'outside Nigeria',
  geometry: 'without a geometry',
} as const
export type LeftOutReason = keyof typeof LEFT_OUT
type LeftOut = { readonly kind: 'left_out'; readonly reason: LeftOutReason }

/** A row of a file that is a place. */
interface ParsedPlace extends Pick<StoredPlace, 'name' | 'aliases' | 'lat' | 'lng' | 'population' | 'radiusKm'> {
  readonly kind: 'place'
  readonly sourceId: string
  readonly placeKind: PlaceKind
}
type ParsedPlaceRow = ParsedPlace | LeftOut | RejectedRow

const leftOut = (reason: LeftOutReason): LeftOut => ({ kind: 'left_out', reason })

interface PlaceFile {
  readonly source: PlaceSource
  readonly rows: AsyncIterable<Position & ParsedPlaceRow>
}

/** Tells the format by the first characters, and reads row by row. */
export async function readPlaceFile(open: Open): Promise<PlaceFile> {
  const input = open(0)[Symbol.asyncIterator]()
  const first = await input.next()
  if (first.done) throw new UnreadableFile('the file is empty')
  const whole = (): AsyncIterable<Uint8Array> => startingWith(first.value, input)
  const start = Buffer.from(first.value)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  // U+001E begins each feature of a sequence (RFC 8142).
  if (['[', '{', '\u001e'].includes(start.slice(0, 1))) {
    const splitterAt = (offset: number) => new FeatureSplitter(offset, 0, null)
    return { source: 'geojson', rows: readRows(whole, 0, splitterAt, ({ value }) => storable(parseFeature(value))) }
  }
  const splitterAt = (offset: number) => new LineSplitter(offset, 0)
  return { source: 'geonames', rows: readRows(whole, 0, splitterAt, ({ text }) => storable(parseGeoNamesLine(text))) }
}

function storable(row: ParsedPlaceRow): ParsedPlaceRow {
  if (row.kind !== 'place' || [row.name, row.sourceId, ...row.aliases].every(isStorable)) return row
  return rejected(`a name ${UNSTORABLE}`)
}

/** A stream cannot be read again from its beginning. */
async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>) {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

interface Feature {
  readonly id?: unknown
  readonly geometry?: { readonly coordinates?: unknown } | null
  readonly properties?: Tags | null
}

const MAX_NAME_LENGTH = 120
const MAX_ALIASES = 50
const MAX_RADIUS_KM = 200
const TOO_LONG = `the name is longer than ${MAX_NAME_LENGTH} characters`

/** A feature of an export of OpenStreetMap (HOT, Overpass), or with our own members. */
export function parseFeature(value: unknown): ParsedPlaceRow {
  if (typeof value !== 'object' || value === null || (value as { type?: unknown }).type !== 'Feature')
    return rejected('is not a GeoJSON feature')
  const feature = value as Feature
  const tags = tagsOf(feature.properties ?? {})
  const kind = kindOfTags(tags)
  if (kind === null) return leftOut('kind')
  const name = nameOfTags(tags, (text) => nameKey(text) !== '')
  if (name === null) return leftOut('unnamed')
  if (name.length > MAX_NAME_LENGTH) return rejected(TOO_LONG)
  if (feature.geometry == null) return leftOut('geometry')
  const extent = extentOf(feature.geometry.coordinates)
  if (extent === null) return rejected('the geometry has no positions of two numbers')
  const { lat, lng } = extent
  const fault = pointFault(lat, lng)
  if (fault !== null) return rejected(fault)
  const radiusKm = radiusOf(tags, kind === 'settlement' ? 0 : extent.radiusKm)
  const place = { name, aliases: usableAliases(name, otherNames(tags)), placeKind: kind, lat, lng, radiusKm }
  const sourceId = identityOf(feature, tags) ?? placeIdentity(place)
  return { kind: 'place', sourceId, ...place, population: readPopulation(tags.population) }
}

/** HOT's exports have tags as properties, or in a member of their own. */
function tagsOf(properties: Tags): Tags {
  const { tags } = properties
  return typeof tags === 'object' && tags !== null ? { ...properties, ...tags } : properties
}

/** Null for a point, which has the usual radius of its kind. */
function radiusOf(tags: Tags, ofGeometry: number): number | null {
  const own = Number(tags.radius_km ?? Number.NaN)
  const radius = own > 0 ? own : ofGeometry
  return radius > 0 ? Math.min(MAX_RADIUS_KM, Math.max(1, Math.round(radius * 10) / 10)) : null
}

/** The element of OpenStreetMap; null where it is not given. */
function identityOf({ id }: Feature, tags: Tags): string | null {
  const type = typeof tags.osm_type === 'string' ? `${tags.osm_type}/` : ''
  for (const given of [id, tags['@id'], tags.osm_id, tags.id]) {
    if ((typeof given === 'string' && given !== '') || typeof given === 'number')
      return given === tags.osm_id ? `${type}${given}` : String(given).slice(0, 200)
  }
  return null
}

type Tags = Readonly<Record<string, unknown>>

/** Tags of OpenStreetMap and the kind that they mean; the first that fits. */
const KINDS: readonly (readonly [tag: string, values: RegExp, kind: PlaceKind])[] = [
  [
    'place',
    /^(city|town|village|hamlet|suburb|quarter|neighbourhood|isolated_dwelling|locality|island)$/,
    'settlement',
  ],
  ['amenity', /^marketplace$/, 'market'],
  ['amenity', /^refugee_site$/, 'camp'],
  ['refugee', /^yes$/, 'camp'],
  ['social_facility:for', /refugee|displaced/, 'camp'],
  ['military', /^(barracks|base|camp)$/, 'camp'],
  ['landuse', /^military$/, 'camp'],
  ['landuse', /^forest$/, 'forest'],
  ['natural', /^wood$/, 'forest'],
  ['leisure', /^nature_reserve$/, 'forest'],
  ['boundary', /^(national_park|protected_area|forest)$/, 'forest'],
  ['waterway', /^(river|stream|canal)$/, 'river'],
  ['natural', /^water$/, 'lake'],
  ['natural', /^(peak|hill|mountain_range|ridge)$/, 'mountain'],
  ['highway', /^(motorway|trunk|primary|secondary|tertiary|unclassified|residential|road|track)(_link)?$/, 'road'],
]

/** Null for what is no place of the gazetteer. Our own `kind` is read as well. */
function kindOfTags(tags: Tags): PlaceKind | null {
  const own = tags.kind
  if (typeof own === 'string' && isOneOf(PLACE_KINDS, own)) return own
  return KINDS.find(([tag, values]) => typeof tags[tag] === 'string' && values.test(tags[tag]))?.[2] ?? null
}

const NAME_TAGS = ['name', 'name:en', 'int_name', 'official_name'] as const
const OTHER_NAMES =
  /^(name|alt_name|old_name|loc_name|short_name|official_name|int_name|name:[a-z_-]+|alt_name:[a-z_-]+)$/

/** The first name in Latin letters; null where there is none. */
function nameOfTags(tags: Tags, isUsable: (name: string) => boolean): string | null {
  for (const tag of NAME_TAGS) {
    const name = tags[tag]
    if (typeof name === 'string' && isUsable(name.trim())) return name.trim()
  }
  return null
}

/**
 * Every name; several in one tag have semicolons between them. A road is known by its number too.
 */
function otherNames(tags: Tags): string[] {
  const aliases = Array.isArray(tags.aliases) ? tags.aliases.filter((alias) => typeof alias === 'string') : []
  const tagged = Object.entries(tags).flatMap(([tag, value]) =>
    typeof value === 'string' && (OTHER_NAMES.test(tag) || (tag === 'ref' && tags.highway)) ? value.split(';') : [],
  )
  return [...aliases, ...tagged]
}

/** The middle of a geometry and the distance to its corners; null where it has no position. */
function extentOf(coordinates: unknown): { lat: number; lng: number; radiusKm: number } | null {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  // A list instead of recursion: a hostile file may nest deeper than the stack.
  const rest: unknown[] = [coordinates]
  while (rest.length > 0) {
    const value = rest.pop()
    if (!Array.isArray(value)) continue
    if (typeof value[0] !== 'number' || typeof value[1] !== 'number') {
      for (const each of value) rest.push(each)
      continue
    }
    west = Math.min(west, value[0])
    east = Math.max(east, value[0])
    south = Math.min(south, value[1])
    north = Math.max(north, value[1])
  }
  if (west === Infinity) return null
  const lat = (south + north) / 2
  const lng = (west + east) / 2
  const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { lat: rounded(lat), lng: rounded(lng), radiusKm: distanceKm(lat, lng, north, east) }
}

const COLUMNS = 19
/** Feature codes of GeoNames, by how they begin; the first that fits. Others are left out. */
const GEONAMES_KINDS: readonly (readonly [code: RegExp, kind: PlaceKind])[] = [
  [/^P\.PPL(?!H|Q|W)/, 'settlement'],
  [/^V\.FRST|^L\.RES[FVW]|^L\.PRK/, 'forest'],
  [/^H\.(STM|CRK)/, 'river'],
  [/^H\.(LK|LGN|RSV)/, 'lake'],
  [/^T\.(MT|MTS|HLL|HLLS)$/, 'mountain'],
  [/^S\.MKT/, 'market'],
  [/^S\.(CMP|INSM)|^L\.MILB/, 'camp'],
  [/^R\.(RD|HWY)/, 'road'],
]

/** A line of a country dump of GeoNames: tab-separated, 19 columns, no header. */
export function parseGeoNamesLine(line: string): ParsedPlaceRow {
  const cells = line.split('\t')
  if (cells.length !== COLUMNS)
    return rejected(`has ${cells.length} columns, separated by tabs; a GeoNames dump has ${COLUMNS}`)
  const [id = '', name = '', , others = '', latText = '', lngText = '', featureClass, code] = cells
  if (!/^\d{0,12}$/.test(id))
    return rejected(`the first column must be the number of the place, not "${id.slice(0, 40)}"`)
  const lat = latText === '' ? Number.NaN : Number(latText)
  const lng = lngText === '' ? Number.NaN : Number(lngText)
  const fault = pointFault(lat, lng)
  if (fault !== null) return rejected(fault)
  const kind = GEONAMES_KINDS.find(([pattern]) => pattern.test(`${featureClass}.${code}`))?.[1]
  if (kind === undefined) return leftOut('kind')
  if (nameKey(name) === '') return leftOut('unnamed')
  if (name.length > MAX_NAME_LENGTH) return rejected(TOO_LONG)
  const aliases = usableAliases(name, others.split(','))
  const place = { name, aliases, placeKind: kind, lat, lng, radiusKm: null }
  // Files in the layout of GeoNames may have places that GeoNames has not.
  const sourceId = id === '' ? placeIdentity(place) : id
  return { kind: 'place', sourceId, ...place, population: readPopulation(cells[14]) }
}

/** A number of people as sources write it; 0 where it says nothing. */
function readPopulation(text: unknown): number {
  const count = Number(String(text ?? '').replaceAll(/[,\s]/g, ''))
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

function pointFault(lat: number, lng: number): string | null {
  if (!Number.isFinite(lat) || Math.abs(lat) > 90) return 'the latitude is not a number from -90 to 90'
  if (!Number.isFinite(lng) || Math.abs(lng) > 180) return 'the longitude is not a number from -180 to 180'
  return null
}

/** Identifies a place to which its source gives no id. */
function placeIdentity({ placeKind, name, lat, lng }: Omit<ParsedPlace, 'kind' | 'sourceId' | 'population'>): string {
  const place = `${placeKind} ${nameKey(name)} ${lat.toFixed(4)} ${lng.toFixed(4)}`
  return createHash('sha256').update(place).digest('hex').slice(0, 24)
}

/** The same place of a source has the same id in every import. */
export function storedPlace(source: PlaceSource, place: ParsedPlace, now: number): StoredPlace {
  const { sourceId, name, aliases, placeKind, lat, lng, population, radiusKm } = place
  const id = derivedIdentifier('place', createHash('sha256').update(`${source}:${sourceId}`).digest())
  const key = nameKey(name)
  return { id, source, sourceId, name, key, aliases, kind: placeKind, lat, lng, population, radiusKm, updatedAt: now }
}

interface PlaceInput {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly kind?: PlaceKind
  readonly lat: number
  readonly lng: number
  readonly population?: number | null
  readonly radius_km?: number | null
}

/** A place of the desk, or what is wrong with it. */
export function newPlace(
  input: PlaceInput,
  locate: Locate,
  now: number,
  randomBytes: (size: number) => Uint8Array,
): StoredPlace | readonly FieldError[] {
  const name = singleLine(input.name)
  const key = nameKey(name)
  const aliases = (input.aliases ?? []).map(singleLine)
  const message = 'must have a letter or a digit of the Latin alphabet'
  const errors: FieldError[] = key === '' ? [{ pointer: '/name', message }] : []
  for (const [index, alias] of aliases.entries())
    if (nameKey(alias) === '') errors.push({ pointer: `/aliases/${index}`, message })
  const located = locate(input.lat, input.lng)
  if (located.kind !== 'located') errors.push({ pointer: '/lat', message: located.message })
  if (errors.length > 0) return errors
  return {
    id: newIdentifier('place', now, randomBytes),
    source: 'desk',
    sourceId: null,
    name,
    key,
    aliases: usableAliases(name, aliases),
    kind: input.kind ?? 'settlement',
    lat: input.lat,
    lng: input.lng,
    population: input.population ?? 0,
    radiusKm: input.radius_km ?? null,
    updatedAt: now,
  }
}

/** Aliases in Latin letters, each once, without the name itself. */
function usableAliases(name: string, others: Iterable<string>): string[] {
  const keys = new Set([nameKey(name)])
  const found: string[] = []
  for (const other of others) {
    const text = other.trim()
    const key = nameKey(text)
    if (key === '' || keys.has(key) || text.length > MAX_NAME_LENGTH || found.length >= MAX_ALIASES) continue
    keys.add(key)
    found.push(text)
  }
  return found
}
