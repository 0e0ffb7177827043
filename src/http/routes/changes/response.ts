import type { Archive } from '../../../archive/archive.ts'
import { changeJson } from '../../../event-log/changes.ts'
import type { LogEvent } from '../../../store/store.ts'
import { metaOf } from '../../responses/meta.ts'

/** The changes after `seq` as JSON, with the incidents' documents as the log has them. */
export function changesAnswer(archive: Archive, seq: number, events: readonly LogEvent[]): string {
  const nextAfter = events.at(-1)?.seq ?? seq
  const data = events.map((event) => changeJson(archive, event)).join(',')
  // A restored log's head may lie far beyond its last event.
  const hasMore = events.length > 0 && nextAfter < archive.head.seq
  return `{"data":[${data}],"next_after":${nextAfter},"has_more":${hasMore},"meta":${JSON.stringify(metaOf(archive))}}`
}
