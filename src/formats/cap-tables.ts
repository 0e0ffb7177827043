import type { Precision } from '../domain/incident.ts'
import type { Category, Severity } from '../domain/taxonomy.ts'

/** Translates our values to the Common Alerting Protocol 1.2. */

export const CAP_CATEGORIES = {
  abduction: ['Security'],
  crime: ['Security'],
  armed_conflict: ['Security'],
  communal: ['Security'],
  gang: ['Security'],
  civil_unrest: ['Security', 'Safety'],
  maritime: ['Security', 'Transport'],
  infrastructure: ['Security', 'Infra'],
} as const satisfies Record<Category, readonly string[]>

export const CAP_SEVERITIES = {
  critical: 'Extreme',
  high: 'Severe',
  medium: 'Moderate',
  low: 'Minor',
} as const satisfies Record<Severity, string>

/** The first row whose `least` the confidence reaches. */
export const CAP_CERTAINTIES = [
  { least: 0.8, certainty: 'Observed' },
  { least: 0.5, certainty: 'Likely' },
  { least: 0.2, certainty: 'Possible' },
  { least: 0, certainty: 'Unlikely' },
] as const

/** The first row with the hours between the incident and its publication. */
export const CAP_URGENCIES = [
  { withinHours: 6, urgency: 'Immediate' },
  { withinHours: 24, urgency: 'Expected' },
  { withinHours: Number.POSITIVE_INFINITY, urgency: 'Past' },
] as const

/** Kilometres, if the incident has no radius. */
export const CAP_RADII = { exact: 1, settlement: 3, lga: 30, state: 100 } as const satisfies Record<Precision, number>

export const CAP_EXPIRY_HOURS = 24
