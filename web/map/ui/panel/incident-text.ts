import type { ConfidenceReason, Incident } from '../../../../src/domain/incident.ts'
import { dayText, timeText } from '../../../shared/format.ts'

const SOURCE_CLASSES: Readonly<Record<string, string>> = {
  official: 'The best source is official: police, army or government',
  international: 'The best source is an international news agency',
  national: 'The best source reports from all of Nigeria',
  research: 'The best source is a research organisation',
  local: 'The best source is local media',
  unknown: 'The best source is not one we know',
  aggregator: 'The best source repeats what others publish',
  social: 'The best source is a post on social media',
}

const PLACE_PRECISIONS: Readonly<Record<string, string>> = {
  exact: 'The place is known exactly',
  settlement: 'The place is known to the town or village',
  lga: 'The place is known only to its LGA',
  state: 'The place is known only to its state',
}

const REASONS: Readonly<Record<string, (value: ConfidenceReason['value']) => string>> = {
  source_reliability: (value) =>
    value === null ? 'There is no source' : (SOURCE_CLASSES[String(value)] ?? `Source: ${value}`),
  independent_sources: (value) =>
    Number(value) === 1 ? 'No second, independent source' : `${value} sources that do not copy one another`,
  official_confirmation: () => 'An official source confirms it',
  import_quality: (value) => `The data set rates this row ${Math.round(Number(value) * 100)} of 100`,
  location_precision: (value) => PLACE_PRECISIONS[String(value)] ?? `Place: ${value}`,
  time_precision: (value) =>
    value === 'exact' ? 'The time is known to the minute' : `The time is known to the ${value}`,
  operator_override: (value) => `Set by hand by ${value}`,
}

/** Puts one reason for the confidence into a sentence. */
export function reasonText({ reason, value }: ConfidenceReason): string {
  return REASONS[reason]?.(value) ?? `${reason.replaceAll('_', ' ')}: ${value}`
}

export function weightText(weight: number): string {
  const points = Math.round(weight * 100)
  return points < 0 ? `−${-points}` : `+${points}`
}

const PRECISIONS: Readonly<Record<string, string>> = {
  exact: 'exact position',
  settlement: 'town or village',
  lga: 'only the LGA is known',
  state: 'only the state is known',
}

export function precisionText({ precision, radius_km }: Incident['location']): string {
  const text = PRECISIONS[precision] ?? precision
  return radius_km === null ? text : `${text}, within ${radius_km} km`
}

export function occurredText({
  occurred_at,
  time_precision,
}: Pick<Incident, 'occurred_at' | 'time_precision'>): string {
  if (time_precision === 'exact') return timeText(occurred_at)
  if (time_precision === 'hour') return `${timeText(occurred_at)}, to the hour`
  if (time_precision === 'day') return dayText(occurred_at)
  return `${dayText(occurred_at)}, known to the ${time_precision}`
}

export function casualtiesText({ killed, injured, abducted }: Incident['casualties']): string {
  const known = [
    [killed, 'killed'],
    [injured, 'injured'],
    [abducted, 'abducted'],
  ] as const
  const parts = known.filter(([number]) => number !== null).map(([number, word]) => `${number} ${word}`)
  return parts.length === 0 ? 'Not known' : parts.join(', ')
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  occurred_at: 'time',
  time_precision: 'precision of the time',
  lat: 'place',
  lng: 'place',
  location: 'place',
  lga: 'LGA',
  confidence_reasons: 'reasons for the confidence',
}

/** Names the fields of a correction, each once. */
export function fieldsText(fields: readonly string[]): string {
  return [...new Set(fields.map((field) => FIELD_NAMES[field] ?? field.replaceAll('_', ' ')))].join(', ')
}
