import { createStore } from '../../shared/store.ts'
import type { DeskIncident } from '../api/types.ts'
import { queue } from './queue.ts'

/** Incidents whose decision is on its way: they are no longer shown in the list. */
const decided = createStore<ReadonlySet<string>>(new Set())

/** The rows of the list, without those whose decision is on its way. */
export const shownRows = createStore<readonly DeskIncident[]>([])

function update(): void {
  const { rows } = queue.get()
  const hidden = decided.get()
  shownRows.set(hidden.size === 0 ? rows : rows.filter(({ id }) => !hidden.has(id)))
}

queue.subscribe((after, before) => after.rows !== before.rows && update())
decided.subscribe(update)

export function hideRows(ids: readonly string[]): void {
  decided.set(new Set([...decided.get(), ...ids]))
}

export function showRows(ids: readonly string[]): void {
  const left = new Set(decided.get())
  for (const id of ids) left.delete(id)
  decided.set(left)
}
