import type { Incident } from './incident.ts'

// The names under which caches keep answers, to drop them after a correction.

/** On every answer that may be purged, so that one purge empties a cache. */
export const EVERYTHING_TAG = 'incident-feed'

/** `code` is `NG`, that of a state, or that of an LGA. */
export function areaTag(code: string): string {
  return `area:${code}`
}

export function incidentTag(id: string): string {
  return `incident:${id}`
}

/** `month` is written as `2026-03`. */
export function monthTag(month: string): string {
  return `month:${month}`
}

/** Of all answers that show this version of an incident. */
export function tagsShowing({ id, location, published_at }: Incident): string[] {
  const { state_code, lga_code } = location
  return [
    incidentTag(id),
    areaTag('NG'),
    areaTag(state_code),
    ...(lga_code === null ? [] : [areaTag(lga_code)]),
    ...(published_at === null ? [] : [monthTag(published_at.slice(0, 7))]),
  ]
}
