import type { Casualties, Precision, Source, TimePrecision } from './incident.ts'
import type { IncidentType, Severity } from './taxonomy.ts'

/** A source as it is reported, with whether it speaks for the state. */
export interface ReportedSource extends Source {
  /** The source speaks for the police, the army or the government. */
  readonly official: boolean
}

/**
 * A report that nobody has checked yet. The place is given by coordinates, by names, in free text,
 * or by several of these, which must then agree. Fields that are not known are null.
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
  /** The precision of the coordinates; null if it is to be derived from the other fields. */
  readonly precision: Precision | null
  readonly summary: string
  readonly sources: readonly ReportedSource[]
  readonly casualties: Casualties
}
