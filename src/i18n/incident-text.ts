import type { Incident } from '../domain/incident.ts'
import { dayText, momentText } from '../lib/nigeria-time.ts'
import type { BrowserTranslate } from './browser/english.ts'

/** Names the LGA and the state of an incident, or only the state. */
export function placeText({ lga, state }: Pick<Incident, 'lga' | 'state'>): string {
  return lga === null ? state : `${lga}, ${state}`
}

/** How exactly the place is known: `town or village, within 3 km`. */
export function precisionText({ precision, radius_km }: Incident['location'], t: BrowserTranslate): string {
  const text = t(`panel.precision_${precision}`)
  return radius_km === null ? text : t('panel.precision_within', { precision: text, count: radius_km })
}

/** When it happened, no more exact than that is known. */
export function occurredText(
  { occurred_at, time_precision }: Pick<Incident, 'occurred_at' | 'time_precision'>,
  t: BrowserTranslate,
): string {
  if (time_precision === 'exact') return momentText(occurred_at)
  if (time_precision === 'hour') return t('panel.occurred_hour', { time: momentText(occurred_at) })
  if (time_precision === 'day') return dayText(occurred_at)
  return t(`panel.occurred_${time_precision}`, { day: dayText(occurred_at) })
}

/**
 * `known` leaves out zeros: in a list they would hide the figures that matter. Empty if there are
 * none.
 */
export function casualtiesText(
  { killed, injured, abducted }: Incident['casualties'],
  t: BrowserTranslate,
  which: 'all' | 'known' = 'all',
): string {
  const isShown = (count: number | null): count is number => count !== null && (which === 'all' || count > 0)
  return [
    isShown(killed) && t('common.killed', { count: killed }),
    isShown(injured) && t('common.injured', { count: injured }),
    isShown(abducted) && t('common.abducted', { count: abducted }),
  ]
    .filter((part) => part !== false)
    .join(', ')
}
