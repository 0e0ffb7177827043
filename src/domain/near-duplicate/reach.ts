import { distanceKm } from '../../lib/geometry/geometry.ts'
import type { Incident, Location, Precision, TimePrecision } from '../incident.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const MAX_DISTANCE_KM = 25
/** A little less than a degree of latitude is long, so that rounding leaves nothing out. */
const KM_PER_DEGREE = 110
export const MAX_TIME_APART_MS = 48 * HOUR

/** Distance to the true place by precision, if the location has no radius. */
export const LOCATION_UNCERTAINTY_KM = { exact: 0.5, settlement: 3, lga: 25, state: 100 } as const satisfies Record<
  Precision,
  number
>
/** Difference to the true time by precision. */
export const TIME_UNCERTAINTY_MS = {
  exact: 0,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 31 * DAY,
  year: 366 * DAY,
} as const satisfies Record<TimePrecision, number>

export interface Spot extends Pick<Incident, 'lat' | 'lng' | 'time_precision'> {
  readonly location: Pick<Location, 'precision' | 'radius_km'>
}

export interface Apart {
  readonly km: number
  /** Sum of both radii: at this distance the two may be at one place. */
  readonly doubtKm: number
  readonly ms: number
  readonly doubtMs: number
}

/** A spot and the time of the event there, parsed. */
export interface SpotInTime {
  readonly incident: Spot
  readonly occurredAt: number
}

/** Null if the two are too far apart in place or time to be one event. */
export function apartWithinReach(here: SpotInTime, there: SpotInTime): Apart | null {
  const [one, other] = [here.incident, there.incident]
  const ms = Math.abs(here.occurredAt - there.occurredAt)
  // The less precise of the two decides: a time known to the day is some moment of that day.
  const doubtMs = Math.max(TIME_UNCERTAINTY_MS[one.time_precision], TIME_UNCERTAINTY_MS[other.time_precision])
  if (ms > MAX_TIME_APART_MS + doubtMs) return null
  const doubtKm = radiusKm(one) + radiusKm(other)
  // Most of some thousand others are too far north or south: they need no trigonometry.
  if (Math.abs(one.lat - other.lat) * KM_PER_DEGREE > MAX_DISTANCE_KM + doubtKm) return null
  const km = distanceKm(one.lat, one.lng, other.lat, other.lng)
  return km <= MAX_DISTANCE_KM + doubtKm ? { km, doubtKm, ms, doubtMs } : null
}

export function radiusKm({ location }: Pick<Spot, 'location'>): number {
  return location.radius_km ?? LOCATION_UNCERTAINTY_KM[location.precision]
}
