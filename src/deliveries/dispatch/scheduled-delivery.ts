import { isMessenger } from '../../domain/channel.ts'
import { releaseAt } from '../../domain/schedule.ts'
import type { Dispatch } from '../../store/store.ts'

type Scheduled = Pick<Dispatch, 'delivery' | 'endpoint'>

/**
 * Returns until when the watch's schedule holds the delivery; null if it may be sent. What was
 * written before the watch had a schedule is not held.
 */
export function heldUntil({ delivery, endpoint: { schedule } }: Scheduled, now: number): number | null {
  const { severity, createdAt } = delivery
  if (schedule === null || severity === null) return null
  const at = releaseAt(schedule, { severity, createdAt }, now)
  return at > now ? at : null
}

/**
 * Whether all that is due for the watch goes out as one message. Programs get one for each event.
 */
export function goesTogether({ endpoint: { channel, schedule } }: Scheduled): boolean {
  return schedule !== null && isMessenger(channel)
}

/**
 * Whether the message may be of several deliveries: of one watch, or of several that one person
 * reads.
 */
export function isCombined(dispatch: Scheduled): boolean {
  return goesTogether(dispatch) || dispatch.endpoint.sharesReceiver
}
