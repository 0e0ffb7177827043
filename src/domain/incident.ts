import { BASE_SEVERITY, type Category, type IncidentType, SEVERITIES, type Severity } from './taxonomy.ts'

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

export const CASUALTIES = ['killed', 'injured', 'abducted'] as const
/** A number that is not known is null, never 0. */
export type Casualties = Record<(typeof CASUALTIES)[number], number | null>

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
  /** The credit that the data set asks for; absent if it does not. */
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

/** From `least` people on, the severity is at least this one. */
export const SEVERITY_THRESHOLDS = [
  { harm: 'injured', least: 1, severity: 'medium' },
  { harm: 'injured', least: 10, severity: 'high' },
  { harm: 'injured', least: 50, severity: 'critical' },
  { harm: 'killed or abducted', least: 1, severity: 'high' },
  { harm: 'killed or abducted', least: 10, severity: 'critical' },
] as const satisfies readonly { harm: string; least: number; severity: Severity }[]

type Harm = (typeof SEVERITY_THRESHOLDS)[number]['harm']

/** Returns the highest severity implied; more casualties never lower it. */
export function severityOf(type: IncidentType, casualties: Casualties): Severity {
  const suffered = harms(type, casualties)
  let worst: number = SEVERITIES.indexOf(BASE_SEVERITY[type])
  for (const { harm, least, severity } of SEVERITY_THRESHOLDS) {
    if (suffered[harm] >= least) worst = Math.max(worst, SEVERITIES.indexOf(severity))
  }
  return SEVERITIES[worst]!
}

function harms(type: IncidentType, { killed, injured, abducted }: Casualties): Record<Harm, number> {
  // The abducted of a release are the people who were freed.
  const taken = type === 'hostage_release' ? 0 : (abducted ?? 0)
  return { injured: injured ?? 0, 'killed or abducted': (killed ?? 0) + taken }
}

/** The members of an incident in the order of the wire. */
export const INCIDENT_MEMBERS = [
  ...(['id', 'type', 'category', 'severity', 'state', 'lga', 'lat', 'lng', 'location', 'confidence'] as const),
  ...(['confidence_reasons', 'summary', 'sources', 'dataset', 'attribution', 'casualties'] as const),
  ...(['casualties_reported', 'occurred_at', 'occurred_until', 'time_precision', 'reported_at'] as const),
  ...(['confirmed_at', 'published_at', 'updated_at', 'status', 'version', 'merged_into'] as const),
] satisfies readonly (keyof Incident)[]

/**
 * Restores the order of the wire, because clients receive the bytes of the stored document.
 * Members without a value are left out. A literal: a loop over the names takes fifteen times as
 * long, for every row of an import.
 */
export function orderIncidentFields(incident: Incident): Incident {
  const { place, precision, radius_km, state_code, lga_code, lga_basis } = incident.location
  const { killed, injured, abducted } = incident.casualties
  const { dataset, attribution, casualties_reported: reported, occurred_until, merged_into } = incident
  return {
    id: incident.id,
    type: incident.type,
    category: incident.category,
    severity: incident.severity,
    state: incident.state,
    lga: incident.lga,
    lat: incident.lat,
    lng: incident.lng,
    location: { place, precision, radius_km, state_code, lga_code, lga_basis },
    confidence: incident.confidence,
    confidence_reasons: incident.confidence_reasons.map(({ reason, value, weight }) => ({ reason, value, weight })),
    summary: incident.summary,
    sources: incident.sources.map(({ url, publisher, published_at }) => ({ url, publisher, published_at })),
    ...(dataset === undefined ? {} : { dataset }),
    ...(attribution === undefined ? {} : { attribution }),
    casualties: { killed, injured, abducted },
    ...(reported === undefined ? {} : { casualties_reported: reported.map(orderFigures) }),
    occurred_at: incident.occurred_at,
    ...(occurred_until === undefined ? {} : { occurred_until }),
    time_precision: incident.time_precision,
    reported_at: incident.reported_at,
    confirmed_at: incident.confirmed_at,
    published_at: incident.published_at,
    updated_at: incident.updated_at,
    status: incident.status,
    version: incident.version,
    ...(merged_into === undefined ? {} : { merged_into }),
  }
}

function orderFigures({ source, killed, injured, abducted }: ReportedCasualties): ReportedCasualties {
  return { source, killed, injured, abducted }
}
