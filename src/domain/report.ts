import type { Casualties, Precision, ReportedCasualties, Source, TimePrecision } from './incident.ts'
import type { IncidentType, Severity } from './taxonomy.ts'

export interface ReportedSource extends Source {
  /** The source speaks for the police, the army or the government. */
  readonly official: boolean
}

/**
 * An unchecked report. The place is given by coordinates, names or free text; if by several, they
 * must agree. Unknown fields are null.
 */
export interface Report {
  readonly type: IncidentType
  readonly severity: Severity | null
  /** ISO 8601, UTC. */
  readonly occurred_at: string
  readonly time_precision: TimePrecision
  readonly lat: number | null
  readonly lng: number | null
  readonly state: string | null
  readonly lga: string | null
  /** A settlement, a road, or a description such as "along the Abuja–Kaduna road near Rijana". */
  readonly place: string | null
  /** Precision of the coordinates; null to derive it from the other fields. */
  readonly precision: Precision | null
  readonly summary: string
  readonly sources: readonly ReportedSource[]
  readonly casualties: Casualties
  readonly casualties_reported?: ReportedCasualties[]
  readonly occurred_until?: string
  /** The data set that the report comes from, and how it asks to be credited; only in imports. */
  readonly dataset?: string
  readonly attribution?: string
}
