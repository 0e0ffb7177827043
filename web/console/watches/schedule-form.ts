import type { Watch } from '../../../client/src/generated/types.ts'
import type { Severity } from '../../../src/domain/taxonomy.ts'

/** The schedule of a watch as the form holds it: what is switched off keeps what was chosen. */
export interface ScheduleForm {
  readonly every: 'none' | 'hourly' | 'daily'
  readonly hour: number
  readonly breakSeverity: Severity | null
  readonly isQuiet: boolean
  readonly from: string
  readonly until: string
  readonly quietBreakSeverity: Severity | null
}

type ShownSchedule = Pick<Watch, 'digest' | 'quiet_hours'>

export const AT_ONCE: ScheduleForm = {
  every: 'none',
  hour: 7,
  breakSeverity: 'critical',
  isQuiet: false,
  from: '22:00',
  until: '06:00',
  quietBreakSeverity: 'critical',
}

export function scheduleFormOf({ digest, quiet_hours: quiet }: ShownSchedule): ScheduleForm {
  return {
    ...AT_ONCE,
    ...(digest.every !== 'none' && { every: digest.every, breakSeverity: digest.break_severity }),
    ...(digest.hour !== null && { hour: digest.hour }),
    ...(quiet && { isQuiet: true, from: quiet.from, until: quiet.until, quietBreakSeverity: quiet.break_severity }),
  }
}

export function scheduleMembers(form: ScheduleForm) {
  const { every, hour, breakSeverity, isQuiet, from, until, quietBreakSeverity } = form
  return {
    digest: every === 'none' ? { every } : { every, ...(every === 'daily' && { hour }), break_severity: breakSeverity },
    quiet_hours: isQuiet ? { from, until, break_severity: quietBreakSeverity } : null,
  }
}

/** The schedule in a sentence; null if messages go out at once. */
export function scheduleText({ digest, quiet_hours: quiet }: ShownSchedule): string | null {
  const parts = [
    digest.every === 'hourly' ? 'every hour' : null,
    digest.every === 'daily' ? `once a day at ${String(digest.hour).padStart(2, '0')}:00` : null,
    quiet && `quiet from ${quiet.from} to ${quiet.until}`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  const text = parts.join(', ')
  return `${text[0]!.toUpperCase()}${text.slice(1)} (Lagos).`
}
