import type { EventLog, LogEvent } from '../../store/store.ts'

/** What never changes in an event, whatever is redacted. */
export type LogSample = Pick<LogEvent, 'seq' | 'kind' | 'at' | 'incidentId'>

/**
 * Some events of the log up to `seq`: the last, those 1, 2, 4, 8 … before it, and the first.
 * Another database has other ones, and so has one that was put back to an earlier state and has
 * continued since: ids are random, and times are in milliseconds. Null where the log has no event.
 */
export async function sampleLog(log: Pick<EventLog, 'after'>, seq: number): Promise<(LogSample | null)[]> {
  const positions = [seq]
  for (let back = 1; back < seq - 1; back *= 2) positions.push(seq - back)
  if (seq > 1) positions.push(1)
  const samples: (LogSample | null)[] = []
  for (const position of positions) {
    const [event] = await log.after(position - 1, 1)
    samples.push(event?.seq === position ? sampleOf(event) : null)
  }
  return samples
}

function sampleOf({ seq, kind, at, incidentId }: LogEvent): LogSample {
  return { seq, kind, at, incidentId }
}
