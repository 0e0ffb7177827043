import type { Incident } from '../../../src/domain/incident.ts'
import { eventAgeText as eventAgeTextIn } from '../../../src/i18n/texts.ts'
import { t } from '../../shared/language.ts'

/** Puts the age of an event into the reader's words. */
export function eventAgeText(incident: Pick<Incident, 'occurred_at' | 'time_precision'>, now: number): string {
  return eventAgeTextIn(incident, now, t)
}
