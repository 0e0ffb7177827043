import { hash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import { orderIncidentFields } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import { KM_PER_DEGREE } from '../../lib/geometry.ts'
import {
  type GivenPlace,
  locationAt,
  type Placement,
  type PlacementResult,
  placeReport,
} from '../reports/build-incident.ts'
import {
  type ParsedIncident,
  type ParsedReport,
  type Position,
  type RejectedRow,
  type Row,
  rejected,
} from './formats/format.ts'

export interface PreparedReport extends ParsedReport {
  readonly id: string
  readonly placement: Placement
  readonly digest: string
}

export interface PreparedIncident extends ParsedIncident {
  readonly id: string
}

/** After every step that does not need the stored incidents. */
type PreparedRow = PreparedReport | PreparedIncident | RejectedRow

export interface BatchRow {
  readonly row: number
  /** As it is in the file; empty unless the row is rejected. */
  readonly text: string
  readonly prepared: PreparedRow
}

/** Rows written in one transaction. */
export interface Batch {
  readonly rows: readonly BatchRow[]
  /** After its last row. */
  readonly position: Position
}

const MAX_ROWS = 1_000
/** Bounds the memory: a thousand rows of a megabyte each would be a gigabyte. */
const MAX_CHARACTERS = 4_000_000

/** Batches of prepared rows bound the memory and the size of a transaction. */
export async function* batches(rows: AsyncIterable<Row>, geography: Geography): AsyncGenerator<Batch> {
  let collected: BatchRow[] = []
  let characters = 0
  let position: Position | null = null
  for await (const row of rows) {
    const prepared = prepareRow(row, geography)
    collected.push({ row: row.row, text: prepared.kind === 'rejected' ? row.text : '', prepared })
    characters += row.text.length
    position = { row: row.row, offset: row.offset, ...(row.within && { within: row.within }) }
    if (collected.length < MAX_ROWS && characters < MAX_CHARACTERS) continue
    yield { rows: collected, position }
    collected = []
    characters = 0
  }
  if (position !== null && collected.length > 0) yield { rows: collected, position }
}

export function prepareRow(row: Row, geography: Geography): PreparedRow {
  if (row.kind === 'rejected') return row
  if (row.kind === 'report') return preparedReport(row, geography)
  const { kind, sourceId, incident, omits } = row
  // Others belong to the desk of the service they come from.
  if (incident.status !== 'confirmed')
    return rejected(`its status is ${incident.status}: only confirmed incidents are imported`)
  return { kind, sourceId, incident: orderIncidentFields(incident), omits, id: incident.id }
}

function preparedReport(row: ParsedReport, geography: Geography): PreparedReport | RejectedRow {
  const { kind, sourceId, report, radiusKm, quality, assumed } = row
  if (normalizeSummary(report.summary) === '') return rejected('the summary has no letter and no digit')
  const placed = placeRow(report, radiusKm, geography)
  if ('errors' in placed) {
    const reasons = placed.errors.map(({ pointer = '', message, did_you_mean: near = [] }) => {
      const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
      return `${pointer.slice(1)} ${message}${hint}`.trim()
    })
    return rejected(reasons.join('; '))
  }
  const prepared = { kind, sourceId, report, radiusKm, quality, id: incidentIdOf(sourceId), ...placed }
  return { ...prepared, digest: digestOf(row), ...(assumed && { assumed }) }
}

const DIGEST_LENGTH = 32

export function incidentIdOf(sourceId: string): string {
  return derivedIdentifier('incident', hash('sha256', sourceId, 'buffer'))
}

/** Independent of the order of properties. */
function digestOf({ report, radiusKm, quality }: ParsedReport): string {
  const canonical = JSON.stringify({ report, radiusKm, quality }, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
  return hash('sha256', canonical).slice(0, DIGEST_LENGTH)
}

/** A point at sea farther than this from every LGA is rejected. */
const NEAREST_STATE_KM = 600

/**
 * Places a row. Unlike in a report, names were checked by the data set's editors: where names and
 * our borders disagree, the names count. Unknown names (a state of 1987, an unusual spelling) are
 * ignored, and the coordinates count.
 */
export function placeRow(given: GivenPlace, radiusKm: number | null, geography: Geography): PlacementResult {
  const placed = given.lat === null ? placeReport(given, geography) : placeByPoint(given, geography)
  if ('errors' in placed || radiusKm === null) return placed
  const { placement } = placed
  return { placement: { ...placement, location: { ...placement.location, radius_km: radiusKm } } }
}

function placeByPoint(given: GivenPlace, { places, locate, basis }: Geography): PlacementResult {
  const lat = given.lat!
  const lng = given.lng!
  const foundState = given.state === null ? null : places.findState(given.state)
  const located = locate(lat, lng)
  const here = located.kind === 'located' ? located : null
  const state = foundState?.kind === 'found' ? foundState.place : (here?.state ?? nearestState(places, lat, lng))
  if (state === null) return { errors: [{ pointer: '/lat', message: `${lat}, ${lng} lies far from Nigeria` }] }
  const foundLga = given.lga === null ? null : places.findLga(given.lga, [state.code])
  const named = foundLga?.kind === 'found' ? foundLga.place : null
  const precision = given.precision ?? 'settlement'
  const lga = named ?? (precision === 'state' || here?.state !== state ? null : here.lga)
  return { placement: locationAt({ lat, lng, state, lga, precision, place: given.place }, named ? 'reported' : basis) }
}

function nearestState({ lgas }: Geography['places'], lat: number, lng: number) {
  const kmTo = (lga: { lat: number; lng: number }) => Math.hypot(lga.lat - lat, lga.lng - lng) * KM_PER_DEGREE
  const nearest = lgas.reduce((one, other) => (kmTo(one) <= kmTo(other) ? one : other))
  return kmTo(nearest) <= NEAREST_STATE_KM ? nearest.state : null
}
