import { createStore } from '../../shared/store.ts'

/** The largest number of incidents that one bulk decision takes. */
export const MAX_SELECTED = 200

/** The ids of the rows that are chosen for a bulk decision. */
export const selection = createStore<ReadonlySet<string>>(new Set())

export function toggleSelected(id: string): void {
  const next = new Set(selection.get())
  if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
  selection.set(next)
}

/** Chooses all of these rows, or none if all are chosen already. */
export function toggleAll(ids: readonly string[]): void {
  const wanted = ids.slice(0, MAX_SELECTED)
  const selected = selection.get()
  selection.set(wanted.every((id) => selected.has(id)) ? new Set() : new Set(wanted))
}

export function clearSelection(): void {
  selection.set(new Set())
}

export function deselect(ids: readonly string[]): void {
  const left = new Set(selection.get())
  for (const id of ids) left.delete(id)
  selection.set(left)
}
