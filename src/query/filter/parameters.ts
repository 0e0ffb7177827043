import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'

export interface Parameter {
  readonly description: string
  readonly example: string
  /** The complete list of values, where the parameter has one. */
  readonly values?: readonly string[]
  /** Takes a list of values, separated by commas. */
  readonly several?: true
  readonly required?: true
}

/** The most values that one list may have, written with commas, repeated, or as a JSON array. */
export const MAX_LIST_VALUES = 100
/** Longer than every name and code. */
export const MAX_VALUE_LENGTH = 200

const UP_TO = `Up to ${MAX_LIST_VALUES} values.`

export const FILTER_PARAMETERS = {
  state: {
    description: `States by name, ISO code or known alias, in any case. ${UP_TO}`,
    example: 'Kaduna,FCT',
    several: true,
  },
  lga: {
    description: `Local government areas by name, code or known alias. A name that exists in two states needs \`state\`. ${UP_TO}`,
    example: 'Chikun',
    several: true,
  },
  type: { description: `Incident types. ${UP_TO}`, example: 'kidnapping,banditry', several: true, values: TYPE_NAMES },
  category: {
    description: `Categories of types. ${UP_TO}`,
    example: 'abduction',
    several: true,
    values: CATEGORY_NAMES,
  },
  severity: { description: `Severities. ${UP_TO}`, example: 'high,critical', several: true, values: SEVERITIES },
  min_severity: { description: 'This severity or worse.', example: 'high', values: SEVERITIES },
  confidence: { description: 'The same as `min_confidence`.', example: '0.8' },
  min_confidence: { description: 'Minimum confidence, from 0 to 1.', example: '0.8' },
  max_confidence: { description: 'Maximum confidence, from 0 to 1.', example: '0.5' },
  since: {
    description: 'Published within this duration: a count and `m` (minutes), `h`, `d` or `w`; or an RFC 3339 time.',
    example: '24h',
  },
  from: {
    description: 'Published at or after this RFC 3339 time or date (UTC). Not together with `since`.',
    example: '2026-01-01',
  },
  to: {
    description: 'Published before this RFC 3339 time or date (UTC). Not together with `since`.',
    example: '2026-02-01',
  },
  occurred_from: {
    description: 'Happened at or after this RFC 3339 time or date (UTC).',
    example: '2026-01-01',
  },
  occurred_to: { description: 'Happened before this RFC 3339 time or date (UTC).', example: '2026-02-01' },
  bbox: { description: 'Within this box: west,south,east,north in degrees.', example: '7.0,10.2,7.8,10.9' },
  near: { description: 'Within `radius_km` of this point: lat,lng.', example: '10.52,7.44' },
  radius_km: { description: 'The distance from `near`, up to 500.', example: '25' },
} as const satisfies Record<string, Parameter>
export type FilterParameter = keyof typeof FILTER_PARAMETERS

export const FILTER_PARAMETER_NAMES = Object.keys(FILTER_PARAMETERS) as readonly FilterParameter[]

/** The parameters that take several values; each may be repeated instead of written with commas. */
export function takesList(name: string): boolean {
  return name === 'group_by' || (FILTER_PARAMETERS as Readonly<Record<string, Parameter>>)[name]?.several === true
}
