import type { Archive } from '../archive/archive.ts'
import type { LogEvent } from '../store/store.ts'

/**
 * A change as JSON, with the incident's document as the log has it. The log remembers what was retracted; the world is told only of
 * what stands.
 */
export function changeText(
  archive: Pick<Archive, 'slotOf'>,
  { seq, kind, at, incidentId, document }: LogEvent,
): string {
  const incident = archive.slotOf(incidentId) === null ? 'null' : document
  const about = JSON.stringify({ seq, event: kind, at: new Date(at).toISOString(), incident_id: incidentId })
  return `${about.slice(0, -1)},"incident":${incident}}`
}
