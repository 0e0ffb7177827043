import { ageText } from '../../src/i18n/age-text.ts'
import { placeText } from '../../src/i18n/incident-text.ts'
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
