import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { ask } from '../api.ts'
import { type IncidentPage, initialData, now } from '../initial-data.ts'
import { currentView } from '../view/current-view.ts'
import { filterOf, type View } from '../view/view.ts'
import { type Connection, type Freshness, freshness } from './freshness.ts'
import type { ServerEvent } from './read-events.ts'
import { followStream } from './stream.ts'

const POLL_EVERY = 15_000
const LOOK_EVERY = 1000

/** What has happened to the feed, as far as the present filter goes. */
export type Change =
  | { readonly kind: 'arrived' | 'changed'; readonly incident: Incident }
  | { readonly kind: 'retracted'; readonly id: string }
  /** Something may have been missed: what is shown must be asked for again. */
  | { readonly kind: 'reset' }

export interface Live {
  readonly freshness: Freshness
  readonly newestAt: string | null
}

export const live = createStore<Live>({ freshness: 'behind', newestAt: initialData.list.meta.newest_published_at })

const listeners = new Set<(change: Change) => void>()

export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let connection: Connection = 'connecting'
let heardAt = now()
let seq = initialData.list.meta.seq
let stop = () => {}

/** Follows the feed with the present filter for as long as the page is open. */
export function startLive(): void {
  follow(currentView.get())
  currentView.subscribe((view, before) => {
    if (streamQuery(view).toString() !== streamQuery(before).toString()) follow(view)
  })
  setInterval(look, LOOK_EVERY)
  addEventListener('offline', look)
  addEventListener('online', look)
}

/** A stream looks ahead, so it takes no time. */
function streamQuery(view: View): URLSearchParams {
  return filterOf({ ...view, window: null, span: 'all' })
}

function follow(view: View): void {
  stop()
  connection = 'connecting'
  const query = streamQuery(view)
  stop = followStream(query, String(seq), {
    onHeard: hear,
    onOpen: () => connect('streaming'),
    onLost: () => connect('lost'),
    onEvent: take,
    onMissing: () => {
      stop = poll(query)
    },
  })
}

function poll(query: URLSearchParams): () => void {
  const stopping = new AbortController()
  const once = async () => {
    try {
      const page = await ask<IncidentPage>('/v1/incidents', withLimit(query), stopping.signal)
      connect('polling')
      hear()
      compare(page)
    } catch {
      if (!stopping.signal.aborted) connect('lost')
    }
  }
  const timer = setInterval(once, POLL_EVERY)
  void once()
  return () => {
    stopping.abort()
    clearInterval(timer)
  }
}

function withLimit(query: URLSearchParams): URLSearchParams {
  const limited = new URLSearchParams(query)
  limited.set('limit', '20')
  return limited
}

function compare({ data, meta }: IncidentPage): void {
  if (meta.seq === seq) return
  const before = live.get().newestAt
  seq = meta.seq
  noteNewest(meta.newest_published_at)
  for (const incident of data.toReversed()) {
    if (before === null || incident.published_at! > before) tell({ kind: 'arrived', incident })
  }
  // A poll shows what came, not what was corrected or retracted.
  tell({ kind: 'reset' })
}

function take({ event, id, data }: ServerEvent): void {
  if (id !== null && /^\d+$/.test(id)) seq = Number(id)
  if (event === 'reset') {
    tell({ kind: 'reset' })
    return
  }
  const { incident_id, incident } = JSON.parse(data) as { incident_id: string; incident: Incident | null }
  // Also of an earlier event of what has been retracted since: nobody is shown what was taken back.
  if (incident === null) tell({ kind: 'retracted', id: incident_id })
  else if (event === 'incident.created') {
    noteNewest(incident.published_at)
    tell({ kind: 'arrived', incident })
  } else if (event === 'incident.updated') tell({ kind: 'changed', incident })
}

function tell(change: Change): void {
  for (const listener of listeners) listener(change)
}

function noteNewest(publishedAt: string | null): void {
  const { newestAt } = live.get()
  if (publishedAt !== null && (newestAt === null || publishedAt > newestAt)) live.patch({ newestAt: publishedAt })
}

function connect(next: Connection): void {
  connection = next
  look()
}

function hear(): void {
  heardAt = now()
  look()
}

function look(): void {
  const next = freshness(connection, heardAt, now(), navigator.onLine)
  if (next !== live.get().freshness) live.patch({ freshness: next })
}
