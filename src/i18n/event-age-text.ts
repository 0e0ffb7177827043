import { eventAge } from '../domain/event-age.ts'
import type { Incident } from '../domain/incident.ts'
import { dayText } from '../lib/nigeria-time.ts'
import type { BrowserTranslate } from './browser/english.ts'

/** Puts the age of an event into words: `3 h ago`, or `3 days ago` where only the day is known. */
export function eventAgeText(
  incident: Pick<Incident, 'occurred_at' | 'time_precision'>,
  now: number,
  t: BrowserTranslate,
): string {
  const { unit, count } = eventAge(incident, now)
  const day = dayText(incident.occurred_at)
  if (unit === 'date') return day
  if (unit === 'now') return t('common.just_now')
  if (unit === 'week') return t('panel.in_week_of', { day })
  if (unit === 'month') return t('panel.in_month', { month: day.slice(day.indexOf(' ') + 1) })
  if (unit === 'year') return t('panel.in_year', { year: day.slice(-4) })
  if (unit === 'today' || unit === 'yesterday') return t(`panel.${unit}`)
  return t(`common.${unit}_ago`, { count })
}
