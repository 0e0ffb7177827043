import { type Incident, NO_DATASET, type Precision } from '../domain/incident.ts'
import type { IncidentType, Severity } from '../domain/taxonomy.ts'

/** A row of the archive's columns: the fields that filters and statistics need. Times in ms. */
export interface IndexedFields {
  readonly publishedAt: number
  readonly occurredAt: number
  readonly state: string
  readonly lga: string | null
  readonly type: IncidentType
  readonly severity: Severity
  readonly confidence: number
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  /** `NO_DATASET` if it was not imported from one. */
  readonly dataset: string
  /** Null where the number is unknown, never 0. */
  readonly killed: number | null
  readonly injured: number | null
  readonly abducted: number | null
}

export function indexedFieldsOf(incident: Incident): IndexedFields {
  if (incident.published_at === null) throw new TypeError(`${incident.id} is not published`)
  return {
    publishedAt: Date.parse(incident.published_at),
    occurredAt: Date.parse(incident.occurred_at),
    state: incident.location.state_code,
    lga: incident.location.lga_code,
    type: incident.type,
    severity: incident.severity,
    confidence: incident.confidence,
    lat: incident.lat,
    lng: incident.lng,
    precision: incident.location.precision,
    dataset: incident.dataset ?? NO_DATASET,
    killed: incident.casualties.killed,
    injured: incident.casualties.injured,
    abducted: incident.casualties.abducted,
  }
}
