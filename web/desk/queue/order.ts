import type { DeskOrder } from '../../../src/domain/moderation.ts'
import { SEVERITIES } from '../../../src/domain/taxonomy.ts'
import type { DeskIncident } from '../api/types.ts'
import type { QueueFilter } from './filter.ts'

type Compare = (one: DeskIncident, other: DeskIncident) => number

function timeOf(incident: DeskIncident): string {
  return incident.status === 'confirmed' ? (incident.published_at ?? incident.reported_at) : incident.reported_at
}

const newest: Compare = (one, other) => compareTexts(timeOf(other), timeOf(one)) || compareTexts(other.id, one.id)

const BY_ORDER: Readonly<Record<DeskOrder, Compare>> = {
  newest,
  oldest: (one, other) => newest(other, one),
  severity: (one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) || newest(one, other),
  confidence: (one, other) => other.confidence - one.confidence || newest(one, other),
}

/** The order of the list; confirmed incidents are ordered by time only. */
export function compareFor({ order, status }: Pick<QueueFilter, 'order' | 'status'>): Compare {
  return status === 'confirmed' && order !== 'oldest' ? newest : BY_ORDER[order]
}

/** Returns the rows with the incident at its place, and without its earlier form. */
export function withRow(rows: readonly DeskIncident[], incident: DeskIncident, compare: Compare): DeskIncident[] {
  const others = rows.filter(({ id }) => id !== incident.id)
  let [low, high] = [0, others.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(others[middle]!, incident) <= 0) low = middle + 1
    else high = middle
  }
  others.splice(low, 0, incident)
  return others
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
