import type { FieldError } from '../../../domain/errors.ts'
import {
  changedSchedule,
  type Digest,
  digestIsQuiet,
  minutesOf,
  minutesText,
  type QuietHours,
  type WatchSchedule,
} from '../../../domain/schedule.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { createWatch } from '../../contract/watches/watches.ts'

type ScheduleBody = Pick<Partial<BodyOf<typeof createWatch>>, 'digest' | 'quiet_hours'>

const DEFAULT_HOUR = 7

/** What the body changes of the schedule. `before` is the schedule of the watch that is changed. */
export function parseSchedule(
  body: ScheduleBody,
  before: WatchSchedule | null,
  errors: FieldError[],
): { readonly digest?: Digest | null; readonly quietHours?: QuietHours | null } {
  const change = {
    ...(body.digest !== undefined && { digest: parseDigest(body.digest, errors) }),
    ...(body.quiet_hours !== undefined && { quietHours: parseQuietHours(body.quiet_hours, errors) }),
  }
  const after = changedSchedule(before, change)
  if (after !== null && digestIsQuiet(after))
    errors.push({
      pointer: body.digest === undefined ? '/quiet_hours' : '/digest/hour',
      message: `the daily digest at ${minutesText(after.digest!.hour * 60)} would fall into the quiet hours: choose another hour, or other quiet hours`,
    })
  return change
}

function parseDigest(digest: NonNullable<ScheduleBody['digest']>, errors: FieldError[]): Digest | null {
  const { every, hour, break_severity: breakSeverity = null } = digest
  // Null is how a watch without a daily digest shows it, and may come back as it was read.
  if (hour !== undefined && hour !== null && every !== 'daily')
    errors.push({ pointer: '/digest/hour', message: 'belongs to a daily digest only' })
  if (breakSeverity !== null && every === 'none')
    errors.push({ pointer: '/digest/break_severity', message: 'means nothing without a digest' })
  return every === 'none' ? null : { every, hour: every === 'daily' ? (hour ?? DEFAULT_HOUR) : 0, breakSeverity }
}

function parseQuietHours(
  given: Exclude<ScheduleBody['quiet_hours'], undefined>,
  errors: FieldError[],
): QuietHours | null {
  if (given === null) return null
  const { break_severity: breakSeverity = 'critical' } = given
  const from = minutesOf(given.from)
  const until = minutesOf(given.until)
  // The declaration has let nothing else pass.
  if (from === null || until === null) throw new TypeError(`${given.from} or ${given.until} is no time of the day`)
  if (from === until) errors.push({ pointer: '/quiet_hours/until', message: 'must not be the same time as "from"' })
  return { from, until, breakSeverity }
}

/** The members of a watch that say when its messages go out. */
export function scheduleResponse(schedule: WatchSchedule | null) {
  const { digest = null, quietHours = null } = schedule ?? {}
  return {
    digest: {
      every: digest?.every ?? ('none' as const),
      hour: digest?.every === 'daily' ? digest.hour : null,
      break_severity: digest?.breakSeverity ?? null,
    },
    quiet_hours: quietHours && {
      from: minutesText(quietHours.from),
      until: minutesText(quietHours.until),
      break_severity: quietHours.breakSeverity,
    },
  }
}
