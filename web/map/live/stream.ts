import type { Problem } from '../../../client/src/generated/types.ts'
import { api } from '../api.ts'
import { reconnectDelay, SILENCE_TIMEOUT_MS } from './freshness.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

interface StreamListener {
  /** Called for anything that the server sends, heartbeats included. */
  onActivity(): void
  onOpen(): void
  onLost(): void
  onEvent(event: ServerEvent): void
  /** The service has lost what came after this position; the stream goes on from there. */
  onPositionLost(resumeAfter: string): void
  /** Called once where the service has no stream (404); the stream is not tried again. */
  onMissing(): void
}

const FIRST_RECONNECT_DELAY_MS = 1000
/** A smaller `retry` from the server is raised to this. */
const MIN_RECONNECT_DELAY_MS = 100

/**
 * Follows `/v1/stream` and reconnects whenever it breaks, until the returned function is called.
 * EventSource cannot send a key, so the stream is read with fetch.
 */
export function followStream(query: URLSearchParams, lastEventId: string | null, listener: StreamListener): () => void {
  const stopping = new AbortController()
  let lastId = lastEventId
  let firstDelayMs = FIRST_RECONNECT_DELAY_MS
  let attempt = 0
  void run()
  return () => stopping.abort()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const outcome = await readOnce().catch(() => 'lost' as const)
      if (stopping.signal.aborted) return
      if (outcome === 'missing') return listener.onMissing()
      listener.onLost()
      await waitOrOnline(reconnectDelay(attempt++, firstDelayMs, Math.random), stopping.signal)
    }
  }

  async function readOnce(): Promise<'missing' | 'lost'> {
    const silent = new AbortController()
    const abort = () => silent.abort()
    let timer = setTimeout(abort, SILENCE_TIMEOUT_MS)
    const noteActivity = () => {
      clearTimeout(timer)
      timer = setTimeout(abort, SILENCE_TIMEOUT_MS)
      listener.onActivity()
    }
    try {
      const search = query.toString()
      const response = await fetch(`/v1/stream${search && `?${search}`}`, {
        headers: {
          ...api.headers,
          accept: 'text/event-stream',
          ...(lastId === null ? {} : { 'last-event-id': lastId }),
        },
        signal: AbortSignal.any([stopping.signal, silent.signal]),
        cache: 'no-store',
      })
      if (response.status === 404) return 'missing'
      if (response.status === 410) {
        lastId = ((await response.json()) as Problem).resume_after!
        listener.onPositionLost(lastId)
      }
      if (!response.ok || response.body === null) return 'lost'
      attempt = 0
      listener.onOpen()
      noteActivity()
      await readEvents(response.body, {
        onChunk: noteActivity,
        onEvent: (event) => {
          if (event.id !== null) lastId = event.id
          listener.onEvent(event)
        },
        onRetry: (delayMs) => {
          firstDelayMs = Math.max(delayMs, MIN_RECONNECT_DELAY_MS)
        },
      })
      return 'lost'
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Waits until the time is over, the browser is online again or the signal is aborted. */
function waitOrOnline(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
