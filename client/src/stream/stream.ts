import type { Transport } from '../http/transport.ts'
import { missedChanges } from './catch-up.ts'
import type { FeedChange } from './change.ts'
import { followEvents, type StreamOptions } from './follow.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Settings of `feed.stream`. */
export interface IncidentStreamOptions extends StreamOptions {
  /**
   * The last `seq` that you have, such as `meta.seq` of a page. Without it, the stream begins with
   * what comes next.
   */
  readonly after?: number | undefined
}

/** Every matching change, once, in order, over any number of connections. */
export async function* streamChanges(
  transport: Transport,
  filter: StreamFilter,
  { after, ...options }: IncidentStreamOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const start = after === undefined ? null : String(after)
  let position = after ?? null
  // Changes that the stream cannot replay are fetched however long it takes, as the stream itself
  // would wait.
  const patient = { signal: options.signal, maxRetries: Number.POSITIVE_INFINITY }
  for await (const { event, data, id } of followEvents(transport, '/v1/stream', filter, start, options)) {
    if (event === 'reset' && position !== null) {
      const { seq } = JSON.parse(data) as { seq: number }
      for await (const change of missedChanges(transport.send, filter, position, seq, patient)) {
        position = change.seq
        yield change
      }
      position = seq
    } else if (event.startsWith('incident.')) {
      const change = JSON.parse(data) as FeedChange
      if (position !== null && change.seq <= position) continue
      position = change.seq
      yield change
    } else if (id !== null && (event === 'heartbeat' || position === null)) position = Number(id)
  }
}
