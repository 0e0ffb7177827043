import { isIdentifier } from '../../../../domain/identifier.ts'
import { CSV_COLUMNS, REQUIRED_COLUMNS } from '../../../../formats/csv-columns.ts'
import { type ColumnMap, columnMap, type Field, mappingHint } from '../column-map.ts'
import { readFlatIncident } from '../flat-incident.ts'
import { readFlatReport } from '../flat-report.ts'
import { type Format, type Mapping, NO_MAPPING, type ParsedRow, type ReadOptions, rejected } from '../format.ts'
import { INCIDENT_FIELDS } from '../incident/incident-checks.ts'
import { checkMapping, constantFields, mappedReader } from '../mapping.ts'
import { readRows } from '../splitting/read-rows.ts'
import { FeatureSplitter } from './feature-splitter.ts'
import { parseIncident } from './ndjson.ts'

/** Points whose properties are our fields or mapped ones. Rows are numbered by feature. */
export const geojson: Format = {
  read(open, options) {
    const { after } = options
    if (after !== undefined && after.within === undefined) throw new TypeError('the checkpoint lacks `within`')
    const meaningOf = featureReader(options)
    const splitterAt = (offset: number) => new FeatureSplitter(offset, after?.row ?? 0, after?.within ?? null)
    return readRows(open, after?.offset ?? 0, splitterAt, ({ value }) => meaningOf(value))
  },
}

interface Feature {
  readonly id?: unknown
  readonly geometry: { readonly coordinates: readonly unknown[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}

function featureReader({ now, mapping = NO_MAPPING }: ReadOptions): (value: unknown) => ParsedRow {
  checkMapping(mapping)
  const fieldOf = columnMap(mapping.columns)
  return (value) => {
    const fault = featureFault(value)
    if (fault !== null) return rejected(fault)
    const feature = value as Feature
    const id = feature.id ?? feature.properties.id
    const ours = typeof id === 'string' && isIdentifier('incident', id)
    return ours ? ownIncident(feature, id, now) : foreignReport(feature, fieldOf, mapping, now)
  }
}

function featureFault(value: unknown): string | null {
  if (!isObject(value) || value.type !== 'Feature') return 'the row is not a GeoJSON feature'
  if (!isObject(value.properties)) return 'the feature has no properties'
  if (value.geometry === null || value.geometry === undefined) return null
  if (!isObject(value.geometry)) return 'geometry must be an object or null'
  if (value.geometry.type !== 'Point') return `geometry must be a Point, not ${JSON.stringify(value.geometry.type)}`
  const { coordinates } = value.geometry
  const numbers = Array.isArray(coordinates) && coordinates.length >= 2 && coordinates.every(Number.isFinite)
  return numbers ? null : 'geometry.coordinates must be [lng, lat]'
}

/** Id and point may be in the feature, in its properties, or in both if they agree. */
function ownIncident(feature: Feature, id: string, now: number): ParsedRow {
  const [lng, lat] = feature.geometry?.coordinates ?? []
  const document: Record<string, unknown> = { ...feature.properties }
  for (const [name, value] of Object.entries({ id, lat, lng })) {
    if (value !== undefined && document[name] !== undefined && document[name] !== value) {
      return rejected(`${name} is ${value} in the feature and ${JSON.stringify(document[name])} in its properties`)
    }
    document[name] ??= value
  }
  return isFlat(document) ? parseFlatIncident(document, now) : parseIncident(inOrder(document), now)
}

/** True for properties as the feed writes them; otherwise they are the document itself. */
function isFlat(document: Record<string, unknown>): boolean {
  return document.location === undefined && REQUIRED_COLUMNS.every((column) => document[column] !== undefined)
}

function parseFlatIncident(document: Record<string, unknown>, now: number): ParsedRow {
  const strange = Object.keys(document).find((name) => !(CSV_COLUMNS as readonly string[]).includes(name))
  if (strange !== undefined) return rejected(`${strange.slice(0, 60)} is not a field of an incident`)
  return readFlatIncident((field) => String(document[field] ?? ''), now)
}

/** Known fields in the order of the wire, for equal text; unknown ones follow and are rejected. */
function inOrder(document: Record<string, unknown>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {}
  for (const name of INCIDENT_FIELDS) if (document[name] !== undefined) ordered[name] = document[name]
  return Object.assign(ordered, document)
}

function foreignReport(feature: Feature, fieldOf: ColumnMap, mapping: Mapping, now: number): ParsedRow {
  const [lng, lat] = feature.geometry?.coordinates ?? []
  const texts = new Map<Field, string>()
  for (const [field, value] of Object.entries({ id: feature.id, lat, lng })) {
    if (value !== undefined && value !== null) texts.set(field as Field, String(value))
  }
  for (const [name, value] of Object.entries(feature.properties)) {
    const field = fieldOf(name)
    if (field === 'ignored' || value === null) continue
    if (field === 'unknown') return rejected(`the property "${name}" is not known: ${mappingHint(name)}`)
    if (typeof value === 'object') return rejected(`the property "${name}" must be text or a number`)
    const text = String(value).trim()
    if (texts.has(field) && texts.get(field) !== text) return rejected(`${field} is given twice, and differs`)
    texts.set(field, text)
  }
  const twice = constantFields(mapping).find((field) => texts.has(field))
  if (twice !== undefined) return rejected(`${twice} is given by the row and by --constant`)
  return readFlatReport(
    'geojson',
    mappedReader((field) => texts.get(field) ?? '', mapping),
    now,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
