import { numberText } from '../../src/lib/text/number-text.ts'
import { elapsed } from '../../src/lib/time/ago.ts'
import { dayText, momentText } from '../../src/lib/time/nigeria-time.ts'
import { t } from './language.ts'

export { dayText, momentText, numberText }

/** Formats the age of a time, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`. */
export function ago(time: string, now: number): string {
  const { unit, count } = elapsed(time, now)
  return unit === 'date' ? dayText(time) : unit === 'now' ? t('common.just_now') : t(`common.${unit}_ago`, { count })
}

export function incidentCountText(count: number): string {
  return t('common.incidents', { count: numberText(count) })
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`
}

/** Names the LGA and the state of an incident, or only the state. */
export function placeText({ lga, state }: { lga: string | null; state: string }): string {
  return lga === null ? state : `${lga}, ${state}`
}
