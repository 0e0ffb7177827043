import type { EventLog } from '../../store/store.ts'
import type { Archive } from '../archive.ts'

const BATCH_SIZE = 2000

export type ReadableLog = Pick<EventLog, 'after' | 'head'>

/** Applies the events since the archive was saved; returns whether a redaction was among them. */
export async function catchUp(archive: Archive, log: ReadableLog): Promise<boolean> {
  let redacted = false
  for (;;) {
    const events = await log.after(archive.head.seq, BATCH_SIZE)
    archive.apply(events)
    redacted ||= events.some((event) => event.redacted === true)
    if (events.length < BATCH_SIZE) break
  }
  archive.forgetMonthVersions()
  return redacted
}
