import { dayText, elapsed } from '../lib/nigeria-time.ts'
import type { BrowserTranslate } from './browser/english.ts'

/**
 * Puts the age of a time into words, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`.
 */
export function ageText(time: string, now: number, t: BrowserTranslate): string {
  const { unit, count } = elapsed(time, now)
  return unit === 'date' ? dayText(time) : unit === 'now' ? t('common.just_now') : t(`common.${unit}_ago`, { count })
}
