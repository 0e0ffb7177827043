import { headers } from '../api.ts'
import { SILENCE_ALLOWED, waitBefore } from './freshness.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

export interface StreamListener {
  /** Anything at all was heard, a heartbeat too. */
  onHeard(): void
  onOpen(): void
  onLost(): void
  onEvent(event: ServerEvent): void
  /** The service has no stream: another way must be found. */
  onMissing(): void
}

const LEAST_WAIT = 1000

/**
 * Follows `/v1/stream` until it is stopped, and connects again whenever it breaks. EventSource cannot send a key, so the
 * stream is read with fetch.
 */
export function followStream(query: URLSearchParams, lastEventId: string | null, listener: StreamListener): () => void {
  const stopping = new AbortController()
  let last = lastEventId
  let least = LEAST_WAIT
  let attempt = 0
  void run()
  return () => stopping.abort()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const outcome = await read().catch(() => 'lost' as const)
      if (stopping.signal.aborted) return
      if (outcome === 'missing') return listener.onMissing()
      listener.onLost()
      await pause(waitBefore(attempt++, least, Math.random), stopping.signal)
    }
  }

  async function read(): Promise<'missing' | 'lost'> {
    const silence = new AbortController()
    const hush = () => silence.abort()
    let timer = setTimeout(hush, SILENCE_ALLOWED)
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(hush, SILENCE_ALLOWED)
      listener.onHeard()
    }
    try {
      const search = query.toString()
      const response = await fetch(`/v1/stream${search && `?${search}`}`, {
        headers: { ...headers(), accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
        signal: AbortSignal.any([stopping.signal, silence.signal]),
        cache: 'no-store',
      })
      if (response.status === 404) return 'missing'
      if (!response.ok || response.body === null) return 'lost'
      attempt = 0
      listener.onOpen()
      heard()
      await readEvents(response.body, {
        onChunk: heard,
        onEvent: (event) => {
          if (event.id !== null) last = event.id
          listener.onEvent(event)
        },
        onRetry: (delayMs) => {
          least = Math.max(delayMs, 100)
        },
      })
      return 'lost'
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Waits; being back online cuts it short. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
