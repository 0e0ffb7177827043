import type { Change, Incident } from '../../client/src/generated/types.ts'
import type { EventKind } from '../../src/domain/incident.ts'
import { createStore } from '../shared/store.ts'

/** One event of the stream, newest first in the tail. */
export interface TailEvent {
  readonly seq: number
  readonly position: string
  readonly event: EventKind
  readonly incident: Incident | null
  /** The line of the stream as it came. */
  readonly text: string
  readonly at: number
}

interface TailState {
  readonly connection: 'connecting' | 'open' | 'lost'
  /** Whether the stream began anew, so that events of the meantime are missing. */
  readonly hasGap: boolean
  readonly events: readonly TailEvent[]
  readonly isPaused: boolean
  /** Events that came while it was paused. */
  readonly waiting: readonly TailEvent[]
  readonly lastHeartbeat: number | null
}

/** More than one reads; a stream that runs over night must not fill the memory. */
const MOST_KEPT = 200
const KINDS = ['incident.created', 'incident.updated', 'incident.retracted'] as const

export const EMPTY_TAIL: TailState = {
  connection: 'connecting',
  hasGap: false,
  events: [],
  isPaused: false,
  waiting: [],
  lastHeartbeat: null,
}

export const tail = createStore<TailState>(EMPTY_TAIL)

export function withEvent(state: TailState, event: TailEvent): TailState {
  const name = state.isPaused ? 'waiting' : 'events'
  return { ...state, [name]: [event, ...state[name]].slice(0, MOST_KEPT) }
}

export function setPaused(state: TailState, isPaused: boolean): TailState {
  if (isPaused) return { ...state, isPaused }
  return { ...state, isPaused, events: [...state.waiting, ...state.events].slice(0, MOST_KEPT), waiting: [] }
}

const REOPEN_MS = 5000

/**
 * Follows the stream with these filters. The browser reconnects by itself, from where it was; if it
 * is refused, as for a position that the service has lost, it gives up, and the stream begins anew.
 */
export function followStream(query: Readonly<Record<string, string>>): () => void {
  const search = new URLSearchParams(query)
  let source: EventSource
  let reopening: ReturnType<typeof setTimeout> | undefined
  let hasBegun = false
  const open = () => {
    source = new EventSource(search.size === 0 ? '/v1/stream' : `/v1/stream?${search}`)
    source.addEventListener('open', () => {
      hasBegun = true
      tail.patch({ connection: 'open' })
    })
    source.addEventListener('error', () => {
      tail.patch({ connection: 'lost' })
      if (source.readyState !== EventSource.CLOSED) return
      if (hasBegun) tail.patch({ hasGap: true })
      reopening = setTimeout(open, REOPEN_MS)
    })
    source.addEventListener('heartbeat', () => tail.patch({ lastHeartbeat: Date.now() }))
    for (const kind of KINDS)
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        const { seq, position, incident } = JSON.parse(data) as Change
        tail.set(withEvent(tail.get(), { seq, position, event: kind, incident, text: data, at: Date.now() }))
      })
  }
  open()
  tail.patch({ connection: 'connecting', hasGap: false })
  return () => {
    clearTimeout(reopening)
    source.close()
  }
}
