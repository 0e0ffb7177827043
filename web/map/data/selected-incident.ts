import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { ApiError } from '../api-client.ts'
import { initialData } from '../initial-data.ts'
import { onFeedEvent } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { snapshot } from './snapshot.ts'

/** The incident whose card is open. */
export type SelectedIncident =
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'open'; readonly incident: Incident }
  | { readonly state: 'retracted' }
  | { readonly state: 'unknown' }
  | { readonly state: 'failed'; readonly message: string }

export const selectedIncident = createStore<SelectedIncident>(initialSelection())

function initialSelection(): SelectedIncident {
  if (initialData.selected) return { state: 'open', incident: initialData.selected }
  if (initialData.gone) return { state: initialData.gone === 'retracted' ? 'retracted' : 'unknown' }
  return { state: 'none' }
}

let currentLoad = new AbortController()

/** Keeps the selected incident up to date with the view and the feed. */
export function startSelectedIncident(): void {
  const { incident } = currentView.get()
  if (incident !== null && selectedIncident.get().state === 'none') void loadSelectedIncident(incident)
  currentView.subscribe((view, before) => {
    if (view.incident === before.incident) return
    currentLoad.abort()
    if (view.incident === null) selectedIncident.set({ state: 'none' })
    else void loadSelectedIncident(view.incident)
  })
  onFeedEvent((event) => {
    const id = currentView.get().incident
    if (event.kind === 'retracted' && event.id === id) selectedIncident.set({ state: 'retracted' })
    if (event.kind === 'updated' && event.incident.id === id)
      selectedIncident.set({ state: 'open', incident: event.incident })
    if (event.kind === 'reset' && id !== null) void readSelectedIncident(id)
  })
}

export async function loadSelectedIncident(id: string): Promise<void> {
  const listed = snapshot.get().list?.incidents.find((incident) => incident.id === id)
  if (listed) return selectedIncident.set({ state: 'open', incident: listed })
  selectedIncident.set({ state: 'loading' })
  await readSelectedIncident(id)
}

async function readSelectedIncident(id: string): Promise<void> {
  currentLoad.abort()
  currentLoad = new AbortController()
  const { signal } = currentLoad
  try {
    const incident = await api.getJson<Incident>(`/v1/incidents/${encodeURIComponent(id)}`, null, signal)
    selectedIncident.set({ state: 'open', incident })
  } catch (error) {
    if (signal.aborted) return
    const status = error instanceof ApiError ? error.status : 0
    if (status === 410) selectedIncident.set({ state: 'retracted' })
    else if (status === 404) selectedIncident.set({ state: 'unknown' })
    else if (selectedIncident.get().state !== 'open')
      selectedIncident.set({ state: 'failed', message: (error as Error).message })
  }
}
