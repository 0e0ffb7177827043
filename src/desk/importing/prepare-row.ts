import type { FieldError } from '../../domain/errors.ts'
import { type Incident, orderIncidentFields } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Placement } from '../reports/place-report.ts'
import { digestOf, incidentIdOf } from './digest.ts'
import { type ParsedIncident, type ParsedReport, type RejectedRow, type Row, rejected } from './formats/format.ts'
import { placeRow } from './place-row.ts'

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
