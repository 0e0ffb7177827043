import type { Precision, TimePrecision } from '../incident.ts'

/** Incremented whenever the same evidence would yield another confidence. */
export const CONFIDENCE_VERSION = 1

/** Weight of the best source by class, descending, in hundredths. A class is no judgement. */
export const SOURCE_WEIGHTS = {
  official: 44,
  international: 44,
  national: 42,
  research: 42,
  local: 34,
  unknown: 24,
  aggregator: 20,
  social: 12,
} as const satisfies Record<string, number>
export type SourceClass = keyof typeof SOURCE_WEIGHTS
export const SOURCE_CLASSES = Object.keys(SOURCE_WEIGHTS) as readonly SourceClass[]

export const SOURCE_CLASS_DESCRIPTIONS = {
  official: 'Police, army, government, emergency services',
  international: 'News agencies and media that report from many countries',
  national: 'Newspapers, stations and sites that report from all of Nigeria',
  research: 'Organisations that collect and check incidents, or investigate them on the spot',
  local: "One city's, one state's or one region's media",
  unknown: 'Publishers that no table lists',
  aggregator: 'Sites that repeat what others have published',
  social: 'Posts and accounts on social media',
} as const satisfies Record<SourceClass, string>

/** Percentage of its weight that the 2nd to 5th independent source adds; later ones add 0. */
export const FURTHER_SOURCE_PERCENTAGES = [40, 20, 10, 5] as const

export const OFFICIAL_CONFIRMATION_WEIGHT = 8

export const LOCATION_WEIGHTS = { exact: 9, settlement: 7, lga: 3, state: 0 } as const satisfies Record<
  Precision,
  number
>

export const TIME_WEIGHTS = {
  exact: 5,
  hour: 4,
  day: 3,
  week: 2,
  month: 1,
  year: 0,
} as const satisfies Record<TimePrecision, number>

/** Maximum: 44 × 1.75 plus the official confirmation; with the best place and time, 0.99 in all. */
export const MAX_SOURCE_WEIGHT = 85

/** Share of the gap up to `MAX_SOURCE_WEIGHT` that an import of quality 1 adds. */
export const IMPORT_SHARE = 0.5

export const REASONS = {
  source_reliability: 'the class of the most reliable source; null without sources',
  independent_sources: 'the number of independent sources; the weight is what those after the first add',
  official_confirmation: 'true',
  import_quality: 'the clarity that the data set states for the row, 0 to 1',
  location_precision: 'the precision of the place',
  time_precision: 'the precision of the time',
  operator_override: 'that the desk set the confidence; the weight is the difference to the calculated value',
} as const
export type ReasonName = keyof typeof REASONS
