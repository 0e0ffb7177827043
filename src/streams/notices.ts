import type { Archive } from '../archive/archive.ts'
import { changeJson } from '../event-log/changes.ts'
import type { LogEvent } from '../store/store.ts'
import { frameBytes } from './frame.ts'

/** Tells of an event; what it says is what `/v1/changes` says of it. */
export function eventFrame(archive: Pick<Archive, 'slotOf'>, event: LogEvent): Buffer {
  return frameBytes({ id: event.seq, event: event.kind, data: changeJson(archive, event) })
}

/** Tells a reader that is too far behind to begin anew. */
export function resetFrame(position: number, head: number): Buffer {
  const detail = `Position ${position} lies too far back. List again, then go on from here: what comes after ${head} follows.`
  return frameBytes({ id: head, event: 'reset', data: JSON.stringify({ event: 'reset', seq: head, detail }) })
}
