import type { Casualties, Precision, Source, TimePrecision } from './incident.ts'
import type { IncidentType, Severity } from './taxonomy.ts'

/** A source as it is reported: what its publisher says of itself is kept, whether it speaks for the state is asked. */
export interface ReportedSource extends Source {
  /** Police, army, government: somebody whose business it is to know. */
  readonly official: boolean
}

/**
 * What somebody says has happened, before anybody has checked it. The place is given by coordinates, by names, in free
 * text, or by several of these, which must then agree. What is not known is null.
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
  /** How precise the coordinates are; null leaves it to what was given. */
  readonly precision: Precision | null
  readonly summary: string
  readonly sources: readonly ReportedSource[]
  readonly casualties: Casualties
}
