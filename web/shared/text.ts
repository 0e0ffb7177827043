import type { ConfidenceReason, Incident } from '../../src/domain/incident.ts'
import {
  type Category,
  type ConfidenceLevel,
  confidenceLevel,
  type IncidentType,
  type Severity,
} from '../../src/domain/taxonomy.ts'
import {
  ageText,
  casualtiesText as casualtiesTextIn,
  occurredText as occurredTextIn,
  placeText,
  precisionText as precisionTextIn,
} from '../../src/i18n/texts.ts'
import { type BrowserKey, isBrowserKey } from '../../src/i18n/translate.ts'
import { dayText, momentText } from '../../src/lib/nigeria-time.ts'
import { numberText } from '../../src/lib/text.ts'
import { t } from './language.ts'

export { dayText, momentText, numberText, placeText }

/** Formats the age of a time, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`. */
export function ago(time: string, now: number): string {
  return ageText(time, now, t)
}

export function incidentCountText(count: number): string {
  return t('common.incidents', { count: numberText(count) })
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`
}

/** Names a type in the reader's language; one that this page does not know yet by its own name. */
export function typeText(type: IncidentType): string {
  return named(`common.type_${type}`, type)
}

export function categoryText(category: Category): string {
  return named(`common.category_${category}`, category)
}

export function severityText(severity: Severity): string {
  return t(`common.severity_${severity}`)
}

export function levelText(level: ConfidenceLevel): string {
  return t(`common.confidence_${level}`)
}

/** Puts a confidence into words: `Likely`. */
export function confidenceText(confidence: number): string {
  return levelText(confidenceLevel(confidence))
}

function named(key: BrowserKey, name: string): string {
  return isBrowserKey(key) ? t(key) : name.replaceAll('_', ' ')
}

const REASONS: Readonly<Record<string, (value: ConfidenceReason['value']) => string>> = {
  source_reliability: (value) =>
    value === null
      ? t('panel.source_none')
      : (known(`panel.source_${value}`) ?? t('panel.source_other', { value: String(value) })),
  independent_sources: (value) =>
    Number(value) === 0 ? t('panel.sources_none') : t('panel.sources_independent', { count: Number(value) }),
  official_confirmation: () => t('panel.official_confirmation'),
  import_quality: (value) => t('panel.import_quality', { value: Math.round(Number(value) * 100) }),
  location_precision: (value) => known(`panel.place_${value}`) ?? other('location_precision', value),
  time_precision: (value) => known(`panel.time_${value}`) ?? other('time_precision', value),
  operator_override: (value) => t('panel.operator_override', { value: String(value) }),
}

/** Puts one reason for the confidence into a sentence. */
export function reasonText({ reason, value }: ConfidenceReason): string {
  return REASONS[reason]?.(value) ?? other(reason, value)
}

function known(key: string): string | null {
  return isBrowserKey(key) ? t(key) : null
}

/** For what a newer server sends than this page knows. */
function other(reason: string, value: ConfidenceReason['value']): string {
  return t('panel.other_reason', { reason: reason.replaceAll('_', ' '), value: String(value) })
}

export function weightText(weight: number): string {
  const points = Math.round(weight * 100)
  return points < 0 ? `−${-points}` : `+${points}`
}

export function precisionText(location: Incident['location']): string {
  return precisionTextIn(location, t)
}

export function occurredText(incident: Pick<Incident, 'occurred_at' | 'time_precision'>): string {
  return occurredTextIn(incident, t)
}

/** `known` leaves out zeros: in a list they would hide the figures that matter. */
export function casualtiesText(casualties: Incident['casualties'], which: 'all' | 'known' = 'all'): string {
  return casualtiesTextIn(casualties, t, which) || t('panel.casualties_unknown')
}

const FIELD_KEYS: Readonly<Record<string, BrowserKey>> = {
  occurred_at: 'panel.field_time',
  time_precision: 'panel.field_time_precision',
  lat: 'panel.field_place',
  lng: 'panel.field_place',
  location: 'panel.field_place',
}

/** Names the fields of a correction, each once. */
export function fieldsText(fields: readonly string[]): string {
  const names = fields.map((field) => {
    const key = FIELD_KEYS[field]
    return key ? t(key) : (known(`panel.field_${field}`) ?? field.replaceAll('_', ' '))
  })
  return [...new Set(names)].join(', ')
}
