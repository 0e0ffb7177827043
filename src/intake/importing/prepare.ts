import type { FieldError } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Placed } from '../reports/place-report.ts'
import { digestOf, incidentIdOf } from './digest.ts'
import type { NotUnderstood, Row, UnderstoodIncident, UnderstoodReport } from './formats/format.ts'
import { rejected } from './formats/format.ts'
import { inWireOrder } from './in-wire-order.ts'
import { placeRow } from './place-row.ts'

/** A report that has its place, and says which incident it is. */
export interface PreparedReport extends UnderstoodReport {
  readonly id: string
  readonly placed: Placed
  readonly digest: string
}

export interface PreparedIncident extends UnderstoodIncident {
  readonly id: string
}

/** A row as far as it can be understood without looking at what is stored. */
export type Prepared = PreparedReport | PreparedIncident | NotUnderstood

export function prepare(row: Row, geography: Geography): Prepared {
  if (row.kind === 'report') return preparedReport(row, geography)
  return row.kind === 'incident' ? preparedIncident(row) : row
}

function preparedReport(row: UnderstoodReport, geography: Geography): PreparedReport | NotUnderstood {
  const { kind, sourceId, report, radiusKm, quality } = row
  if (normalizeSummary(report.summary) === '') return rejected('the summary says nothing')
  const placing = placeRow(report, radiusKm, geography)
  if ('errors' in placing) return rejected(placing.errors.map(sentence).join('; '))
  const { placed } = placing
  return { kind, sourceId, report, radiusKm, quality, id: incidentIdOf(sourceId), placed, digest: digestOf(row) }
}

function sentence({ pointer, message, did_you_mean: near }: FieldError): string {
  const hint = near === undefined || near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
  return `${(pointer ?? '').slice(1)} ${message}${hint}`.trim()
}

/** Only what is public goes into an archive: the desk's undecided reports and what it took back stay where they are. */
function preparedIncident({ kind, sourceId, incident, omits }: UnderstoodIncident): PreparedIncident | NotUnderstood {
  if (incident.status !== 'confirmed')
    return rejected(`its status is ${incident.status}: only confirmed incidents are imported`)
  const ordered: Incident = inWireOrder(incident)
  return { kind, sourceId, incident: ordered, omits, id: incident.id }
}
