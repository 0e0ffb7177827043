import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'
import { Incidents } from '../resources/incidents.ts'
import { type FeedChange, type Position, seqOf } from './change.ts'
import { changesAfter } from './changes.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Changes whose matches are asked for together. */
const BATCH = 1000

/**
 * The changes after a position that is too old for the stream, up to `until`, from the log. The log
 * has no filters: new incidents are held against the list with the same filter. Corrections and
 * retractions all pass, since their previous version may have matched.
 */
export async function* missedChanges(
  send: Send,
  filter: StreamFilter,
  after: Position,
  until: Position,
  options: CallOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const all = Object.values(filter).every((value) => value === undefined)
  let batch: FeedChange[] = []
  for await (const change of changesAfter(send, { after }, options)) {
    if (change.seq > seqOf(until)) break
    if (change.event === 'incident.imported') continue
    if (all) yield change
    else if (batch.push(change) === BATCH) {
      yield* await matching(send, filter, batch, options)
      batch = []
    }
  }
  if (batch.length > 0) yield* await matching(send, filter, batch, options)
}

async function matching(
  send: Send,
  filter: StreamFilter,
  batch: readonly FeedChange[],
  options: CallOptions,
): Promise<FeedChange[]> {
  const created = batch.flatMap(({ event, incident }) => (event === 'incident.created' && incident ? incident : []))
  const times = created.map((incident) => Date.parse(incident.published_at!))
  const ids = new Set<string>()
  if (created.length > 0) {
    const from = new Date(Math.min(...times)).toISOString()
    const to = new Date(Math.max(...times) + 1).toISOString()
    const matches = new Incidents(send).list({ ...filter, from, to }, options)
    for await (const { id } of matches) ids.add(id)
  }
  return batch.filter(
    ({ event, incident, incident_id: id }) => event !== 'incident.created' || incident === null || ids.has(id),
  )
}
