import type { ServerResponse } from 'node:http'
import type { Archive } from '../archive/archive.ts'
import { changeJson } from '../event-log/follower.ts'
import { positionText } from '../event-log/positions.ts'
import type { StreamFilter } from '../filter/filter.ts'
import type { LogEvent, LogPosition } from '../store/store.ts'

export interface StreamSubscription {
  readonly filter: StreamFilter
  /** The filter's canonical text. */
  readonly filterText: string
  /** The last event that the client has, as it has named it; null for future events only. */
  readonly after: { readonly seq: number; readonly text: string } | null
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

interface StreamPosition {
  /** The client receives events after this one. */
  readonly after: number
  readonly endsAt: number
  readonly heartbeatGroup: number
}

/** One open stream. It has no timer: `Streams` sends the heartbeats of all connections. */
export class StreamConnection<Subscription = StreamSubscription> implements StreamPosition {
  readonly subscription: Subscription
  readonly after: number
  readonly endsAt: number
  readonly heartbeatGroup: number
  readonly #response: ServerResponse
  #stalled = false
  #foundStalled = false

  constructor(response: ServerResponse, subscription: Subscription, { after, endsAt, heartbeatGroup }: StreamPosition) {
    this.#response = response
    this.subscription = subscription
    this.after = after
    this.endsAt = endsAt
    this.heartbeatGroup = heartbeatGroup
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  /** Bytes not yet passed to the operating system. */
  get bufferedBytes(): number {
    return this.#response.writableLength
  }

  write(bytes: Buffer): void {
    if (this.isOpen) this.#response.write(bytes)
  }

  /** Resolves when more can be written or the connection has closed. */
  async waitForDrain(): Promise<void> {
    const response = this.#response
    if (!response.writableNeedDrain) return
    this.#stalled = true
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done)
        resolve()
      }
      response.on('drain', done).on('close', done)
    })
    this.#stalled = false
    this.#foundStalled = false
  }

  /** Returns whether the client has read nothing since the previous call. */
  stillStalled(): boolean {
    const before = this.#foundStalled
    this.#foundStalled = this.#stalled
    return before && this.#stalled
  }

  /** Ends with a last frame. Disconnects a client with unread bytes: it might never read them. */
  end(lastFrame: Buffer): void {
    if (this.bufferedBytes > 0) this.disconnect()
    else if (this.isOpen) this.#response.end(lastFrame)
  }

  disconnect(): void {
    this.#response.destroy()
  }
}

/** Subjects that a stream counts for, each with its maximum. */
export type SubjectBounds = readonly { readonly subject: string; readonly max: number }[]

/** Counts open streams in all and for each subject, such as an account. */
export class ConnectionLimit {
  readonly #max: number
  readonly #openBySubject = new Map<string, number>()
  #open = 0

  constructor(max: number) {
    this.#max = max
  }

  openOf(subject: string): number {
    return this.#openBySubject.get(subject) ?? 0
  }

  /** Counts one more stream for every subject, or for none: then it returns which limit it hit. */
  acquire(bounds: SubjectBounds): 'taken' | 'all full' | { readonly full: string } {
    const full = bounds.find(({ subject, max }) => this.openOf(subject) >= max)
    if (full !== undefined) return { full: full.subject }
    if (this.#open >= this.#max) return 'all full'
    for (const { subject } of bounds) this.#openBySubject.set(subject, this.openOf(subject) + 1)
    this.#open++
    return 'taken'
  }

  release(bounds: SubjectBounds): void {
    for (const { subject } of bounds) {
      const open = this.openOf(subject) - 1
      if (open === 0) this.#openBySubject.delete(subject)
      else this.#openBySubject.set(subject, open)
    }
    this.#open--
  }
}

export interface StreamLimits {
  /** Interval of heartbeats, which show that the connection is alive and how current it is. */
  readonly heartbeatIntervalMs: number
  /** After at most this time a client must reconnect, possibly to another node. */
  readonly maxDurationMs: number
  /** A client with more unread bytes than this is disconnected. */
  readonly maxBufferedBytes: number
  /** A client further behind than this must list again. */
  readonly maxReplayedEvents: number
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeatIntervalMs: 15_000,
  maxDurationMs: 30 * 60_000,
  maxBufferedBytes: 128 * 1024,
  maxReplayedEvents: 10_000,
}

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
  return frameBytes({ id: positionText(event), event: event.kind, data: changeJson(archive, event) })
}

/**
 * Shows that the connection is alive and how current this node is. `position` is the last event
 * that the client has received or that its filter does not match; null while it is still catching
 * up.
 */
export function heartbeatFrame(position: LogPosition | null, inStepAt: string): Buffer {
  const id = position && positionText(position)
  const data = JSON.stringify({ event: 'heartbeat', seq: position?.seq ?? null, position: id, in_step_at: inStepAt })
  return frameBytes({ ...(id === null ? {} : { id }), event: 'heartbeat', data })
}

/** Tells a client that is too far behind for a replay to list again. */
export function resetFrame(position: string, head: LogPosition): Buffer {
  const id = positionText(head)
  const detail = `Position ${position} lies too far back. List again, then go on from here: what comes after ${id} follows.`
  return frameBytes({
    id,
    event: 'reset',
    data: JSON.stringify({ event: 'reset', seq: head.seq, position: id, detail }),
  })
}

function singleLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new TypeError('a field of an event stream cannot contain a line break')
  return text
}

function wholeNumber(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new TypeError(`${number} is not a whole number from 0`)
  return number
}
