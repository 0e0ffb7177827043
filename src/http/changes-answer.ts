import type { Archive } from '../archive/archive.ts'
import type { LogEvent } from '../store/store.ts'
import { metaOf } from './meta.ts'

/** The changes after `seq` as JSON, with the incidents' documents as the log has them. */
export function changesAnswer(archive: Archive, seq: number, events: readonly LogEvent[]): string {
  const nextAfter = events.at(-1)?.seq ?? seq
  const data = events.map((event) => change(archive, event)).join(',')
  const hasMore = nextAfter < archive.head.seq
  return `{"data":[${data}],"next_after":${nextAfter},"has_more":${hasMore},"meta":${JSON.stringify(metaOf(archive))}}`
}

/** The log remembers what was retracted; the world is told only of what stands. */
function change(archive: Archive, { seq, kind, at, incidentId, document }: LogEvent): string {
  const incident = archive.slotOf(incidentId) === null ? 'null' : document
  const about = JSON.stringify({ seq, event: kind, at: new Date(at).toISOString(), incident_id: incidentId })
  return `${about.slice(0, -1)},"incident":${incident}}`
}
