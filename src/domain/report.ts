import { timeText } from '../lib/time.ts'
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

/** Rules for times, coordinates and URLs, shared by the report endpoints and the imports. */

const EARLIEST_MS = Date.UTC(1960)
const DAY_MS = 86_400_000
/** In Lagos a day begins one hour earlier than in UTC, so "today" may start in the future. */
const LAGOS_OFFSET_MS = 3_600_000
/** A program that reports at once may have a clock that is a little ahead of this one. */
const CLOCK_DIFFERENCE_MS = 60_000

/**
 * Returns the fault, worded to follow the time; null if the time is plausible. A date, which is
 * midnight UTC, counts as begun once it has begun in Lagos.
 */
export function timeFault(time: number, now: number): string | null {
  if (time < EARLIEST_MS) return 'lies before 1960'
  const latest = now + (time % DAY_MS === 0 ? LAGOS_OFFSET_MS : CLOCK_DIFFERENCE_MS)
  return time > latest ? 'lies in the future' : null
}

/** Says which dates and times have no fault. */
export function plausibleTimes(now: number): string {
  const lastDay = timeText(now + LAGOS_OFFSET_MS).slice(0, 10)
  return `it must lie between 1960 and ${timeText(now)}, which is now; the last day is ${lastDay}`
}

const isInNigeria = (lat: number, lng: number): boolean => lat >= 4 && lat <= 14 && lng >= 2.5 && lng <= 15
/** Includes the part of the Gulf of Guinea in which pirates attack ships. */
const isInRegion = (lat: number, lng: number): boolean => lat >= 0 && lat <= 16 && lng >= 0 && lng <= 17

/**
 * Returns the fault of a point, or null. Swapped coordinates of Lagos lie at sea, among the oil
 * fields; `mayBeAtSea` allows such a point for incidents that happen there.
 */
export function coordinatesFault(lat: number, lng: number, mayBeAtSea: boolean): string | null {
  if (isInRegion(lat, lng) && (mayBeAtSea || isInNigeria(lat, lng) || !isInNigeria(lng, lat))) return null
  if (isInNigeria(lng, lat)) return `lat ${lat}, lng ${lng} look swapped: the other way round they lie in Nigeria`
  if (Math.abs(lat) > 90) return `lat ${lat} is not a latitude: it must lie between -90 and 90`
  if (Math.abs(lng) > 180) return `lng ${lng} is not a longitude: it must lie between -180 and 180`
  return `lat ${lat}, lng ${lng} lie far from Nigeria`
}

/** Addresses of sources are published, so that one with a user name or a password is none. */
export function isWebUrl(text: string): boolean {
  const url = /^https?:\/\/[^\s/]/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

type Figures = Partial<Casualties>

/** A report as the contract has checked it; what its values mean is found out at the desk. */
export interface ReportBody {
  readonly type: IncidentType
  readonly occurred_at: string
  readonly occurred_until?: string | null
  readonly time_precision?: TimePrecision
  readonly lat?: number | null
  readonly lng?: number | null
  readonly state?: string | null
  readonly lga?: string | null
  readonly place?: string | null
  readonly precision?: Precision | null
  readonly summary?: string | null
  readonly text?: string | null
  readonly sources?: readonly GivenSource[]
  readonly casualties?: Figures
  readonly casualties_reported?: readonly (Figures & { readonly source: string })[]
  readonly severity?: Severity | null
}

interface GivenSource {
  readonly url?: string | null
  readonly publisher?: string | null
  readonly published_at?: string | null
  readonly official?: boolean
}
