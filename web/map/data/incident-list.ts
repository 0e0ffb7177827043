import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { type IncidentPage, initialData } from '../initial-data.ts'
import { type FeedEvent, onFeedEvent } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { type BoundingBox, filterOf } from '../view/view.ts'

/** The part of the map that is visible; null while it shows all of Nigeria. */
export const visibleBox = createStore<BoundingBox | null>(null)

export interface IncidentListState {
  readonly incidents: readonly Incident[]
  readonly nextCursor: string | null
  readonly loading: boolean
  readonly error: string | null
  /** Ids of the incidents that arrived while the page was open. */
  readonly arrivedIds: ReadonlySet<string>
}

export const incidentList = createStore<IncidentListState>({
  incidents: initialData.list.data,
  nextCursor: initialData.list.next_cursor,
  loading: false,
  error: null,
  arrivedIds: new Set(),
})

const DEBOUNCE_MS = 200
const RETRY_DELAY_MS = 5000

let currentLoad = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps the list up to date with the view, the visible part of the map and the feed. */
export function startIncidentList(): void {
  currentView.subscribe((view, before) => {
    if (filterOf(view).toString() !== filterOf(before).toString()) reloadIncidents(DEBOUNCE_MS)
  })
  visibleBox.subscribe(() => reloadIncidents(DEBOUNCE_MS))
  onFeedEvent(applyFeedEvent)
}

export function reloadIncidents(delayMs = 0): void {
  clearTimeout(timer)
  incidentList.patch({ loading: true })
  timer = setTimeout(() => void loadPage(null), delayMs)
}

export function loadNextPage(): void {
  const { nextCursor, loading } = incidentList.get()
  if (nextCursor === null || loading) return
  incidentList.patch({ loading: true })
  void loadPage(nextCursor)
}

async function loadPage(cursor: string | null): Promise<void> {
  currentLoad.abort()
  currentLoad = new AbortController()
  const { signal } = currentLoad
  const query = filterOf(currentView.get())
  const box = visibleBox.get()
  if (box !== null) query.set('bbox', box.join(','))
  if (cursor !== null) query.set('cursor', cursor)
  try {
    const page = await api.getJson<IncidentPage>('/v1/incidents', query, signal)
    const incidents = cursor === null ? page.data : [...incidentList.get().incidents, ...page.data]
    incidentList.patch({ incidents, nextCursor: page.next_cursor, loading: false, error: null })
  } catch (error) {
    if (signal.aborted) return
    incidentList.patch({ loading: false, error: (error as Error).message })
    timer = setTimeout(() => void loadPage(cursor), RETRY_DELAY_MS)
  }
}

function applyFeedEvent(event: FeedEvent): void {
  const { incidents, arrivedIds } = incidentList.get()
  if (event.kind === 'reset') {
    reloadIncidents(DEBOUNCE_MS)
    return
  }
  if (event.kind === 'retracted') {
    incidentList.patch({ incidents: incidents.filter(({ id }) => id !== event.id) })
    return
  }
  const { incident } = event
  if (incidents.some(({ id }) => id === incident.id)) {
    incidentList.patch({ incidents: incidents.map((known) => (known.id === incident.id ? incident : known)) })
  } else if (event.kind === 'created' && isInView(incident)) {
    incidentList.patch({ incidents: [incident, ...incidents], arrivedIds: new Set([...arrivedIds, incident.id]) })
  }
}

/** Checks the time window and the box; the stream applies only the other filters. */
function isInView({ published_at, lat, lng }: Incident): boolean {
  const { window } = currentView.get()
  const box = visibleBox.get()
  const time = Date.parse(published_at!)
  const inWindow = window === null || (time >= Date.parse(window.from) && time < Date.parse(window.to))
  return inWindow && (box === null || (lng >= box[0] && lat >= box[1] && lng <= box[2] && lat <= box[3]))
}
