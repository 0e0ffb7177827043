import type { Incident } from '../incident.ts'

/** A merge chooses between two values of each; the members of one choice belong together. */
export const MERGE_CHOICES = {
  type: ['type', 'category'],
  severity: ['severity'],
  location: ['state', 'lga', 'lat', 'lng', 'location'],
  summary: ['summary'],
  casualties: ['casualties'],
  occurred_at: ['occurred_at', 'occurred_until', 'time_precision'],
} as const satisfies Record<string, readonly (keyof Incident)[]>
export type MergedField = keyof typeof MERGE_CHOICES

export const MERGED_FIELDS = Object.keys(MERGE_CHOICES) as MergedField[]

/** `this` is the incident that is merged away, `other` the one that remains. */
export type MergeSide = 'this' | 'other'
export type MergeTake = Partial<Record<MergedField, MergeSide>>
