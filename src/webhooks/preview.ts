import type { Incident } from '../domain/incident.ts'
import type { Filter, LiveFilter } from '../query/filter/filter.ts'

const DAY = 86_400_000
const NEWEST = 5

export interface Preview {
  readonly matches: number
  readonly newest: readonly Incident[]
}

/** What can be asked of the past. */
export interface PreviewSource {
  count(filter: Filter, now: number): number
  newest(filter: Filter, most: number, now: number): Incident[]
}

/** How often a watch with the filter would have fired in so many days, and for what. */
export function previewOf(filter: LiveFilter, days: number, past: PreviewSource, now: number): Preview {
  const window: Filter = { ...filter, publishedFrom: now - days * DAY }
  return { matches: past.count(window, now), newest: past.newest(window, NEWEST, now) }
}
