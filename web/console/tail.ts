import type { Incident } from '../../client/src/generated/types.ts'
import type { EventKind } from '../../src/domain/incident.ts'
import { createStore } from '../shared/store.ts'

/** One event of the stream, newest first in the tail. */
export interface TailEvent {
  readonly seq: number
  readonly event: EventKind
  readonly incident: Incident | null
  /** The line of the stream as it came. */
  readonly text: string
  readonly at: number
}

interface TailState {
  readonly connection: 'connecting' | 'open' | 'lost'
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

/** Follows the stream with these filters; the browser reconnects by itself, from where it was. */
export function followStream(query: Readonly<Record<string, string>>): () => void {
  const search = new URLSearchParams(query)
  const source = new EventSource(search.size === 0 ? '/v1/stream' : `/v1/stream?${search}`)
  tail.patch({ connection: 'connecting' })
  source.addEventListener('open', () => tail.patch({ connection: 'open' }))
  source.addEventListener('error', () => tail.patch({ connection: 'lost' }))
  source.addEventListener('heartbeat', () => tail.patch({ lastHeartbeat: Date.now() }))
  for (const kind of KINDS)
    source.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
      const { incident } = JSON.parse(data) as { incident: Incident | null }
      tail.set(withEvent(tail.get(), { seq: Number(lastEventId), event: kind, incident, text: data, at: Date.now() }))
    })
  return () => source.close()
}
