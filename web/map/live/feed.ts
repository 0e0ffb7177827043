import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { forgetSeq, type IncidentPage, initialData, noteSeq, noteServerTime, serverNow } from '../initial-data.ts'
import { currentView } from '../view/current-view.ts'
import { filterOf, type View } from '../view/view.ts'
import { type ConnectionState, type Freshness, freshnessOf } from './freshness.ts'
import type { ServerEvent } from './read-events.ts'
import { followStream } from './stream.ts'

const POLL_INTERVAL_MS = 15_000
const FRESHNESS_INTERVAL_MS = 1000

/** A change to the incidents that match the current filter. */
type FeedEvent =
  | { readonly kind: 'created' | 'updated'; readonly incident: Incident }
  | { readonly kind: 'retracted'; readonly id: string }
  /** Events may have been missed: reload everything that is shown. */
  | { readonly kind: 'reset' }

/** The data of an event; which members it has depends on its name. */
interface EventContent {
  readonly seq: number | null
  readonly in_step_at: string
  readonly incident_id: string
  readonly incident: Incident | null
}

interface FeedStatus {
  readonly freshness: Freshness
  readonly newestAt: string | null
}

export const feedStatus = createStore<FeedStatus>({
  freshness: 'behind',
  newestAt: initialData.list.meta.newest_published_at,
})

const listeners = new Set<(event: FeedEvent) => void>()

/** Returns a function that removes the listener. */
export function onFeedEvent(listener: (event: FeedEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let connection: ConnectionState = 'connecting'
let lastActivityAt = serverNow()
let inStepAt = Date.parse(initialData.list.meta.in_step_at)
let lastPosition = initialData.list.meta.position
let disconnect = () => {}

/** Follows the feed with the current filter while the page is open. */
export function startFeed(): void {
  connect(currentView.get())
  currentView.subscribe((view, before) => {
    if (streamQuery(view).toString() !== streamQuery(before).toString()) connect(view)
  })
  setInterval(updateFreshness, FRESHNESS_INTERVAL_MS)
  addEventListener('offline', updateFreshness)
  addEventListener('online', updateFreshness)
}

/**
 * The stream sends only what is published from the connection on, so it takes no time filter. All
 * severities and places are followed: the page counts them too.
 */
function streamQuery(view: View): URLSearchParams {
  return filterOf({ ...view, window: null, period: 'all', severities: [], box: null })
}

function connect(view: View): void {
  disconnect()
  connection = 'connecting'
  const query = streamQuery(view)
  disconnect = followStream(query, lastPosition, {
    onActivity: noteActivity,
    onOpen: () => setConnection('streaming'),
    onLost: () => setConnection('lost'),
    onEvent: handleServerEvent,
    onPositionLost: forgetAfter,
    onMissing: () => {
      disconnect = startPolling(query)
    },
  })
}

function startPolling(filter: URLSearchParams): () => void {
  const stopping = new AbortController()
  const query = new URLSearchParams(filter)
  query.set('limit', '20')
  const poll = async () => {
    try {
      const page = await api.getJson<IncidentPage>('/v1/incidents', query, stopping.signal)
      setConnection('polling')
      noteActivity()
      publishPolledPage(page)
    } catch {
      if (!stopping.signal.aborted) setConnection('lost')
    }
  }
  const timer = setInterval(poll, POLL_INTERVAL_MS)
  void poll()
  return () => {
    stopping.abort()
    clearInterval(timer)
  }
}

function publishPolledPage({ data, meta }: IncidentPage): void {
  noteInStep(meta.in_step_at)
  if (meta.position === lastPosition) return
  const before = feedStatus.get().newestAt
  lastPosition = meta.position
  noteSeq(meta.seq)
  noteNewest(meta.newest_published_at)
  for (const incident of data.toReversed()) {
    if (before === null || incident.published_at! > before) publish({ kind: 'created', incident })
  }
  // A poll does not tell which incidents were corrected or retracted.
  publish({ kind: 'reset' })
}

function handleServerEvent({ event, id, data }: ServerEvent): void {
  if (id !== null) lastPosition = id
  const content = JSON.parse(data) as EventContent
  // A heartbeat has none while missed events are still being sent.
  if (content.seq !== null) noteSeq(content.seq)
  if (event === 'heartbeat') {
    noteInStep(content.in_step_at)
    return
  }
  if (event === 'reset') {
    publish({ kind: 'reset' })
    return
  }
  const { incident_id, incident } = content
  // Earlier events of an incident that has since been retracted carry no incident either.
  if (incident === null) publish({ kind: 'retracted', id: incident_id })
  else if (event === 'incident.created') {
    noteNewest(incident.published_at)
    publish({ kind: 'created', incident })
  } else if (event === 'incident.updated') publish({ kind: 'updated', incident })
}

/** All that is shown may be of what came later. */
function forgetAfter(position: string): void {
  lastPosition = position
  forgetSeq()
  feedStatus.patch({ newestAt: null })
  publish({ kind: 'reset' })
}

/** Tells the newest incident of a list: after a loss it is an earlier one, which no event names. */
export function noteNewestListed(publishedAt: string | null): void {
  if (feedStatus.get().newestAt === null) noteNewest(publishedAt)
}

function publish(event: FeedEvent): void {
  for (const listener of listeners) listener(event)
}

function noteNewest(publishedAt: string | null): void {
  const { newestAt } = feedStatus.get()
  if (publishedAt !== null && (newestAt === null || publishedAt > newestAt)) {
    feedStatus.patch({ newestAt: publishedAt })
  }
}

function setConnection(next: ConnectionState): void {
  connection = next
  updateFreshness()
}

function noteActivity(): void {
  lastActivityAt = serverNow()
  updateFreshness()
}

/** The server says when it was last in step with the log of incidents. */
function noteInStep(time: string): void {
  inStepAt = Date.parse(time)
  noteServerTime(inStepAt)
  // By the corrected clock, the silence so far would be as long as the page was kept.
  noteActivity()
}

function updateFreshness(): void {
  const freshness = freshnessOf(connection, lastActivityAt, inStepAt, serverNow(), navigator.onLine)
  if (freshness !== feedStatus.get().freshness) feedStatus.patch({ freshness })
}
