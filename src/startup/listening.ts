import type { Logger } from 'pino'
import { ListenedMessages, type Listener } from '../deliveries/listening.ts'
import type { Store } from '../store/store.ts'
import { ListeningStreams } from '../streams/listening-streams.ts'
import type { StreamLimits } from '../streams/stream-connection.ts'

const POLL_INTERVAL_MS = 1000

/** Starts following what can be told to those who listen to watches and filters. */
export function startListening(
  store: Store,
  clock: () => number,
  logger: Logger,
  limits: Partial<StreamLimits> | undefined,
): ListeningStreams<Listener> {
  const onChange = (wake: () => void) => {
    const stops = [store.events.onAppend(wake), store.deliveries.onDue(wake)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  return new ListeningStreams(
    {
      feed: new ListenedMessages(store, clock),
      onChange,
      clock,
      pollIntervalMs: POLL_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'messages cannot be followed'),
    },
    limits,
  )
}
