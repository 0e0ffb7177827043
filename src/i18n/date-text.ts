import { calendarDay, clockText } from '../lib/nigeria-time.ts'
import type { MessageKey } from './english.ts'
import type { Translate } from './translate.ts'

/** The month with its year, in words of the language: `Nuwamba 2026`. */
export function monthText(time: string | number, t: Translate): string {
  const { monthNumber, year } = calendarDay(time)
  return `${t(`messages.month_${monthNumber}` as MessageKey)} ${year}`
}

/** `17 Nuwamba 2026`. */
export function dateText(time: string | number, t: Translate): string {
  return `${calendarDay(time).day} ${monthText(time, t)}`
}

/** With the time of day and its zone, West Africa Time: `17 Nuwamba 2026, 08:05 WAT`. */
export function dateAndTimeText(time: string | number, t: Translate): string {
  return `${dateText(time, t)}, ${clockText(time)} WAT`
}
