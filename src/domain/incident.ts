import type { Category, IncidentType, Severity } from './taxonomy.ts'

export const PRECISIONS = ['exact', 'settlement', 'lga', 'state'] as const
export type Precision = (typeof PRECISIONS)[number]

export const LGA_BASES = ['reported', 'boundary', 'estimated'] as const
export type LgaBasis = (typeof LGA_BASES)[number]

export const TIME_PRECISIONS = ['exact', 'hour', 'day', 'week', 'month', 'year'] as const
export type TimePrecision = (typeof TIME_PRECISIONS)[number]

export const STATUSES = ['reported', 'confirmed', 'retracted', 'rejected', 'merged'] as const
export type Status = (typeof STATUSES)[number]

/** The name of a data set, such as `ucdp`. */
export const DATASET_NAME = /^(?!none$)[a-z0-9][a-z0-9_-]{0,39}$/
/** Stands in filters for incidents that come from no data set. */
export const NO_DATASET = 'none'

export interface Location {
  place: string | null
  precision: Precision
  radius_km: number | null
  state_code: string
  lga_code: string | null
  lga_basis: LgaBasis | null
}

export interface ConfidenceReason {
  reason: string
  value: number | string | boolean | null
  weight: number
}

export interface Source {
  url: string | null
  publisher: string
  published_at: string | null
}

/** A number that is not known is null, never 0. */
export interface Casualties {
  killed: number | null
  injured: number | null
  abducted: number | null
}

/** The figures of one source; `Casualties` are those that the desk has settled on. */
export interface ReportedCasualties extends Casualties {
  source: string
}

/**
 * An incident on the wire, in the store and in memory: one form, serialized once. Names are
 * therefore those of the wire (decision 0001). Times are ISO 8601 in UTC.
 */
export interface Incident {
  id: string
  type: IncidentType
  category: Category
  severity: Severity
  state: string
  lga: string | null
  lat: number
  lng: number
  location: Location
  confidence: number
  confidence_reasons: ConfidenceReason[]
  summary: string
  sources: Source[]
  /** The data set that it was imported from; absent otherwise. */
  dataset?: string
  /** How the data set asks to be credited; absent if it does not. */
  attribution?: string
  casualties: Casualties
  /** Absent if no figures are known by source. */
  casualties_reported?: ReportedCasualties[]
  occurred_at: string
  /** The end of an event that lasted; absent otherwise. */
  occurred_until?: string
  time_precision: TimePrecision
  reported_at: string
  confirmed_at: string | null
  published_at: string | null
  updated_at: string
  status: Status
  version: number
  /** The incident that this one was merged into; absent unless it is merged. */
  merged_into?: string
}

/**
 * `incident.imported` adds history to the archive, corrects it or takes it back; it is not sent to
 * watches or streams.
 */
export const EVENT_KINDS = ['incident.created', 'incident.updated', 'incident.retracted', 'incident.imported'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export function isPublic(incident: Pick<Incident, 'status' | 'published_at'>): boolean {
  return incident.status === 'confirmed' && incident.published_at !== null
}
