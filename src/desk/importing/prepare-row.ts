import type { FieldError } from '../../domain/errors.ts'
import { type Incident, orderIncidentFields } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import { type Placement, type GivenPlace, locationAt, type PlacementResult, placeReport } from '../reports/place-report.ts'
import { type ParsedIncident, type ParsedReport, type RejectedRow, type Row, rejected } from './formats/format.ts'
import { hash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { State } from '../../domain/places.ts'
import { KM_PER_DEGREE } from '../../lib/geometry/geometry.ts'

export interface PreparedReport extends ParsedReport {
  readonly id: string
  readonly placement: Placement
  readonly digest: string
}

export interface PreparedIncident extends ParsedIncident {
  readonly id: string
}

/** After every step that does not need the stored incidents. */
export type PreparedRow = PreparedReport | PreparedIncident | RejectedRow

export function prepareRow(row: Row, geography: Geography): PreparedRow {
  if (row.kind === 'report') return preparedReport(row, geography)
  return row.kind === 'incident' ? preparedIncident(row) : row
}

function preparedReport(row: ParsedReport, geography: Geography): PreparedReport | RejectedRow {
  const { kind, sourceId, report, radiusKm, quality, assumed } = row
  if (normalizeSummary(report.summary) === '') return rejected('the summary has no letter and no digit')
  const placementResult = placeRow(report, radiusKm, geography)
  if ('errors' in placementResult) return rejected(placementResult.errors.map(sentence).join('; '))
  const { placement } = placementResult
  const prepared = { kind, sourceId, report, radiusKm, quality, id: incidentIdOf(sourceId), placement }
  return { ...prepared, digest: digestOf(row), ...(assumed && { assumed }) }
}

function sentence({ pointer, message, did_you_mean: near }: FieldError): string {
  const hint = near === undefined || near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
  return `${(pointer ?? '').slice(1)} ${message}${hint}`.trim()
}

/** Only confirmed incidents pass: others belong to the desk of the service they come from. */
function preparedIncident({ kind, sourceId, incident, omits }: ParsedIncident): PreparedIncident | RejectedRow {
  if (incident.status !== 'confirmed')
    return rejected(`its status is ${incident.status}: only confirmed incidents are imported`)
  const ordered: Incident = orderIncidentFields(incident)
  return { kind, sourceId, incident: ordered, omits, id: incident.id }
}

/** A point at sea farther than this from every LGA is rejected. */
const NEAREST_STATE_KM = 600

/**
 * Places a row. Unlike in a report, names were checked by the data set's editors: where names and
 * our borders disagree, the names count. Unknown names (a state of 1987, an unusual spelling) are
 * ignored, and the coordinates count.
 */
export function placeRow(given: GivenPlace, radiusKm: number | null, geography: Geography): PlacementResult {
  const placementResult = given.lat === null ? placeReport(given, geography) : placeByPoint(given, geography)
  if ('errors' in placementResult || radiusKm === null) return placementResult
  const { placement } = placementResult
  return { placement: { ...placement, location: { ...placement.location, radius_km: radiusKm } } }
}

function placeByPoint(given: GivenPlace, geography: Geography): PlacementResult {
  const { places, locate, basis } = geography
  const lat = given.lat!
  const lng = given.lng!
  const foundState = given.state === null ? null : places.findState(given.state)
  const located = locate(lat, lng)
  const here = located.kind === 'located' ? located : null
  const state = foundState?.kind === 'found' ? foundState.place : (here?.state ?? nearestState(geography, lat, lng))
  if (state === null) return { errors: [outside(lat, lng)] }
  const foundLga = given.lga === null ? null : places.findLga(given.lga, [state.code])
  const named = foundLga?.kind === 'found' ? foundLga.place : null
  const precision = given.precision ?? 'settlement'
  const lga = named ?? (precision === 'state' || here?.state !== state ? null : here.lga)
  return { placement: locationAt({ lat, lng, state, lga, precision, place: given.place }, named ? 'reported' : basis) }
}

function nearestState({ places }: Geography, lat: number, lng: number): State | null {
  const kmTo = (lga: { lat: number; lng: number }) => Math.hypot(lga.lat - lat, lga.lng - lng) * KM_PER_DEGREE
  const nearest = places.lgas.reduce((one, other) => (kmTo(one) <= kmTo(other) ? one : other))
  return kmTo(nearest) <= NEAREST_STATE_KM ? nearest.state : null
}

function outside(lat: number, lng: number): FieldError {
  return { pointer: '/lat', message: `${lat}, ${lng} lies far from Nigeria` }
}

const DIGEST_LENGTH = 32

export function incidentIdOf(sourceId: string): string {
  return derivedIdentifier('incident', hash('sha256', sourceId, 'buffer'))
}

/** Independent of the order of properties. */
export function digestOf({ report, radiusKm, quality }: ParsedReport): string {
  return hash('sha256', canonical({ report, radiusKm, quality })).slice(0, DIGEST_LENGTH)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
