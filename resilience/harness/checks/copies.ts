import { isDeepStrictEqual } from 'node:util'
import type { LoggedEvent, VersionedEvent } from '../event-log.ts'
import type { IncidentVersions } from '../incident-versions.ts'

/** The time at which a copy was read; incidents retracted before it are not shown. */
export type ReadingTime = 'meanwhile' | 'at the end'

/**
 * Compares what a client received from the stream or the changes feed with the log: every event
 * once, in order, with the incident as it was acknowledged. Returns one sentence for each
 * difference.
 */
export function findCopyProblems(
  name: string,
  received: readonly LoggedEvent[],
  log: readonly VersionedEvent[],
  versions: IncidentVersions,
  readingTime: ReadingTime,
): string[] {
  const problems: string[] = []
  const seqs = received.map(({ seq }) => seq)
  const expected = log.map(({ seq }) => seq)
  if (!isDeepStrictEqual(seqs, expected)) problems.push(`${name}: ${describeSeqs(seqs, expected)}`)
  const bySeq = new Map(log.map((event) => [event.seq, event]))
  for (const { seq, event, at, incident_id, incident } of received) {
    const logged = bySeq.get(seq)
    if (logged === undefined) continue
    if (event !== logged.event || at !== logged.at || incident_id !== logged.incident_id)
      problems.push(`${name}: seq ${seq} is ${event} of ${incident_id} at ${at}, in the log it is ${logged.event}`)
    else if (!isTrue(incident, logged, versions, readingTime))
      problems.push(`${name}: the incident of seq ${seq} (${event}) is not the one acknowledged`)
  }
  return problems
}

/** Null is right only for an incident that has been retracted. */
function isTrue(
  incident: Record<string, unknown> | null,
  { incident_id, version, event }: VersionedEvent,
  versions: IncidentVersions,
  readingTime: ReadingTime,
): boolean {
  // Incidents that the harness has not written, such as a history; an import shows the current
  // version.
  if (!versions.has(incident_id) || event === 'incident.imported') return true
  const isRetracted = versions.newest(incident_id)?.status === 'retracted'
  if (incident === null || (isRetracted && readingTime === 'at the end')) return incident === null && isRetracted
  return event !== 'incident.retracted' && isDeepStrictEqual(incident, versions.find(incident_id, version))
}

function describeSeqs(seqs: readonly number[], expected: readonly number[]): string {
  const received = new Set(seqs)
  const missing = expected.filter((seq) => !received.has(seq))
  const repeated = seqs.length - received.size
  return `${seqs.length} events of ${expected.length}, ${missing.length} missing (${missing.slice(0, 5)}), ${repeated} repeated, or out of order`
}
