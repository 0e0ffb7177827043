import type { Incident } from '../../domain/incident.ts'
import {
  LOCATION_UNCERTAINTY_KM,
  MAX_DISTANCE_KM,
  MAX_TIME_APART_MS,
  possibleDuplicates,
  TIME_UNCERTAINTY_MS,
} from '../../domain/near-duplicate/near-duplicate.ts'
import { EVERYTHING, type Filter } from '../../query/filter/filter.ts'
import type { Incidents } from '../../store/store.ts'

/** Public incidents, newest first, from memory. */
export type Published = (filter: Filter, most: number) => Incident[]

export interface PossibleDuplicate {
  readonly incident: Incident
  readonly score: number
}

/** How vague an incident may be itself for it to be found by one that is precise. */
const OTHERS_RADIUS_KM = LOCATION_UNCERTAINTY_KM.state
const OTHERS_SPREAD_MS = TIME_UNCERTAINTY_MS.week
const MOST_PUBLISHED = 500
const MOST_OPEN = 2000
/** The largest circle that a filter takes. */
const WIDEST_KM = 500

/** For each incident, what may be the same: among those published, the open reports and each other. */
export async function duplicateCandidates(
  incidents: readonly Incident[],
  published: Published,
  store: Pick<Incidents, 'openReports'>,
): Promise<Map<string, PossibleDuplicate[]>> {
  const found = new Map<string, PossibleDuplicate[]>()
  if (incidents.length === 0) return found
  const windows = incidents.map(windowOf)
  const open = await store.openReports(
    Math.min(...windows.map(({ from }) => from)),
    Math.max(...windows.map(({ to }) => to)),
    MOST_OPEN,
  )
  for (const incident of incidents) {
    const others = new Map([...open, ...incidents, ...published(searchFilterFor(incident), MOST_PUBLISHED)].map(byId))
    others.delete(incident.id)
    found.set(incident.id, possibleDuplicates(incident, others.values()))
    // A long list must not keep everybody's reads waiting.
    if (incidents.length > 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return found
}

function byId(incident: Incident): [string, Incident] {
  return [incident.id, incident]
}

function windowOf({ occurred_at, time_precision }: Incident): { from: number; to: number } {
  const at = Date.parse(occurred_at)
  const reach = MAX_TIME_APART_MS + Math.max(TIME_UNCERTAINTY_MS[time_precision], OTHERS_SPREAD_MS)
  return { from: at - reach, to: at + reach }
}

function searchFilterFor(incident: Incident): Filter {
  const { lat, lng, location } = incident
  const { from, to } = windowOf(incident)
  const own = location.radius_km ?? LOCATION_UNCERTAINTY_KM[location.precision]
  const radiusKm = Math.min(WIDEST_KM, MAX_DISTANCE_KM + own + OTHERS_RADIUS_KM)
  return { ...EVERYTHING, circle: { lat, lng, radiusKm }, occurredFrom: from, occurredTo: to + 1 }
}
