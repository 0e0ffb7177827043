import type { Incident } from '../../../src/domain/incident.ts'
import { createStore } from '../../shared/store.ts'
import { ask, Refused } from '../api.ts'
import { initialData } from '../initial-data.ts'
import { onChange } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { list } from './incident-list.ts'

/** The incident whose card is open. */
export type Selected =
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'open'; readonly incident: Incident }
  | { readonly state: 'retracted' }
  | { readonly state: 'unknown' }
  | { readonly state: 'failed'; readonly message: string }

export const selected = createStore<Selected>(atStart())

function atStart(): Selected {
  if (initialData.selected) return { state: 'open', incident: initialData.selected }
  if (initialData.gone) return { state: initialData.gone === 'retracted' ? 'retracted' : 'unknown' }
  return { state: 'none' }
}

let asking = new AbortController()

export function startSelected(): void {
  const { incident } = currentView.get()
  if (incident !== null && selected.get().state === 'none') void open(incident)
  currentView.subscribe((view, before) => {
    if (view.incident === before.incident) return
    if (view.incident === null) selected.set({ state: 'none' })
    else void open(view.incident)
  })
  onChange((change) => {
    const id = currentView.get().incident
    if (change.kind === 'retracted' && change.id === id) selected.set({ state: 'retracted' })
    if (change.kind === 'changed' && change.incident.id === id)
      selected.set({ state: 'open', incident: change.incident })
  })
}

export async function open(id: string): Promise<void> {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const known = list.get().incidents.find((incident) => incident.id === id)
  if (known) return selected.set({ state: 'open', incident: known })
  selected.set({ state: 'loading' })
  try {
    const incident = await ask<Incident>(`/v1/incidents/${encodeURIComponent(id)}`, null, signal)
    selected.set({ state: 'open', incident })
  } catch (error) {
    if (signal.aborted) return
    const status = error instanceof Refused ? error.status : 0
    if (status === 410) selected.set({ state: 'retracted' })
    else if (status === 404) selected.set({ state: 'unknown' })
    else selected.set({ state: 'failed', message: (error as Error).message })
  }
}
