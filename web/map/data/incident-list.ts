import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { ask } from '../api.ts'
import { type IncidentPage, initialData } from '../initial-data.ts'
import { type Change, onChange } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { filterOf, type View } from '../view/view.ts'

/** west, south, east, north; null where the map shows all of Nigeria. */
export type Box = readonly [number, number, number, number]

export const mapBox = createStore<Box | null>(null)

export interface ListState {
  readonly incidents: readonly Incident[]
  readonly nextCursor: string | null
  readonly loading: boolean
  readonly error: string | null
  /** Those that arrived while the page was open. */
  readonly fresh: ReadonlySet<string>
}

export const list = createStore<ListState>({
  incidents: initialData.list.data,
  nextCursor: initialData.list.next_cursor,
  loading: false,
  error: null,
  fresh: new Set(),
})

const SETTLE = 200
const RETRY = 5000

let asking = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps the list in step with the view, the map and the feed. */
export function startList(): void {
  currentView.subscribe((view, before) => {
    if (questionOf(view) !== questionOf(before)) reload(SETTLE)
  })
  mapBox.subscribe(() => reload(SETTLE))
  onChange(take)
}

export function reload(wait = 0): void {
  clearTimeout(timer)
  list.patch({ loading: true })
  timer = setTimeout(() => void load(null), wait)
}

export function loadMore(): void {
  const { nextCursor, loading } = list.get()
  if (nextCursor === null || loading) return
  list.patch({ loading: true })
  void load(nextCursor)
}

export function listQuery(view: View, box: Box | null): URLSearchParams {
  const query = filterOf(view)
  if (box !== null) query.set('bbox', box.join(','))
  return query
}

async function load(cursor: string | null): Promise<void> {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const query = listQuery(currentView.get(), mapBox.get())
  if (cursor !== null) query.set('cursor', cursor)
  try {
    const page = await ask<IncidentPage>('/v1/incidents', query, signal)
    const incidents = cursor === null ? page.data : [...list.get().incidents, ...page.data]
    list.patch({ incidents, nextCursor: page.next_cursor, loading: false, error: null })
  } catch (error) {
    if (signal.aborted) return
    list.patch({ loading: false, error: (error as Error).message })
    timer = setTimeout(() => void load(cursor), RETRY)
  }
}

function take(change: Change): void {
  const { incidents, fresh } = list.get()
  if (change.kind === 'reset') {
    reload(SETTLE)
    return
  }
  if (change.kind === 'retracted') {
    list.patch({ incidents: incidents.filter(({ id }) => id !== change.id) })
    return
  }
  const { incident } = change
  if (incidents.some(({ id }) => id === incident.id)) {
    list.patch({ incidents: incidents.map((known) => (known.id === incident.id ? incident : known)) })
  } else if (change.kind === 'arrived' && isShown(incident)) {
    list.patch({ incidents: [incident, ...incidents], fresh: new Set([...fresh, incident.id]) })
  }
}

/** The feed has asked for the other filters already; a stream knows no time and no box. */
function isShown({ published_at, lat, lng }: Incident): boolean {
  const { window } = currentView.get()
  const box = mapBox.get()
  const time = Date.parse(published_at!)
  const inWindow = window === null || (time >= Date.parse(window.from) && time < Date.parse(window.to))
  return inWindow && (box === null || (lng >= box[0] && lat >= box[1] && lng <= box[2] && lat <= box[3]))
}

function questionOf(view: View): string {
  return filterOf(view).toString()
}
