import type { Archive } from '../archive/archive.ts'
import { changeJson } from '../event-log/recent-events.ts'
import type { LogEvent } from '../store/store.ts'

/** One block of a Server-Sent Events stream; absent fields are not written. */
interface Frame {
  readonly comment?: string
  /** Time that a disconnected client waits before it reconnects, in milliseconds. */
  readonly retry?: number
  /** The client's new position; a frame without `data` changes only that. */
  readonly id?: number | string
  readonly event?: string
  readonly data?: string
}

/** Throws if a text contains a line break, which could inject further fields. */
export function frameBytes({ comment, retry, id, event, data }: Frame): Buffer {
  let text = ''
  if (comment !== undefined) text += `: ${singleLine(comment)}\n`
  if (retry !== undefined) text += `retry: ${wholeNumber(retry)}\n`
  if (id !== undefined) text += `id: ${typeof id === 'number' ? wholeNumber(id) : singleLine(id)}\n`
  if (event !== undefined) text += `event: ${singleLine(event)}\n`
  if (data !== undefined) text += `data: ${singleLine(data)}\n`
  return Buffer.from(`${text}\n`)
}

/** The data is the same JSON as in `/v1/changes`. */
export function eventFrame(archive: Pick<Archive, 'slotOf' | 'mergedInto'>, event: LogEvent): Buffer {
  return frameBytes({ id: event.seq, event: event.kind, data: changeJson(archive, event) })
}

/**
 * Shows that the connection is alive and how current this node is. `position` is the last event
 * that the client has received or that its filter does not match; null while it is still catching
 * up.
 */
export function heartbeatFrame(position: number | null, inStepAt: string): Buffer {
  const data = JSON.stringify({ event: 'heartbeat', seq: position, in_step_at: inStepAt })
  return frameBytes({ ...(position === null ? {} : { id: position }), event: 'heartbeat', data })
}

/** Tells a client that is too far behind for a replay to list again. */
export function resetFrame(position: number, head: number): Buffer {
  const detail = `Position ${position} lies too far back. List again, then go on from here: what comes after ${head} follows.`
  return frameBytes({ id: head, event: 'reset', data: JSON.stringify({ event: 'reset', seq: head, detail }) })
}

function singleLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new TypeError('a field of an event stream cannot contain a line break')
  return text
}

function wholeNumber(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new TypeError(`${number} is not a whole number from 0`)
  return number
}
