import type { Transport } from '../http/transport.ts'
import { missedChanges } from './catch-up.ts'
import { type FeedChange, type Position, seqOf } from './change.ts'
import { followEvents, type StreamOptions } from './follow.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Settings of `feed.stream`. */
export interface IncidentStreamOptions extends StreamOptions {
  /**
   * The last `position` that you have, such as `meta.position` of a page. Without it, the stream
   * begins with what comes next. With a plain `seq`, it may go unnoticed that the service has lost
   * changes.
   */
  readonly after?: Position | number | undefined
}

/** Every matching change, once, in order, over any number of connections. */
export async function* streamChanges(
  transport: Transport,
  filter: StreamFilter,
  { after, ...options }: IncidentStreamOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const start = after === undefined ? null : String(after)
  let position: Position | null = start
  // Changes that the stream cannot replay are fetched however long it takes, as the stream itself
  // would wait.
  const patient = { signal: options.signal, maxRetries: Number.POSITIVE_INFINITY }
  for await (const { event, data, id } of followEvents(transport, '/v1/stream', filter, start, options)) {
    if (event === 'reset' && position !== null) {
      const { position: end } = JSON.parse(data) as { position: Position }
      for await (const change of missedChanges(transport.send, filter, position, end, patient)) {
        position = change.position
        yield change
      }
      position = end
    } else if (event.startsWith('incident.')) {
      const change = JSON.parse(data) as FeedChange
      if (position !== null && change.seq <= seqOf(position)) continue
      position = change.position
      yield change
    } else if (id !== null && (event === 'heartbeat' || position === null)) position = id
  }
}
