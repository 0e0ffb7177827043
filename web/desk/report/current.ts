import { createStore } from '../../shared/store.ts'
import { shownRows } from '../queue/decided.ts'

/** The incident that the middle column shows. */
export const currentId = createStore<string | null>(new URLSearchParams(location.search).get('report'))

/** Where the current row stood last: a colleague may have decided on it meanwhile. */
let lastIndex = 0

shownRows.subscribe((rows) => {
  const index = rows.findIndex(({ id }) => id === currentId.get())
  if (index >= 0) lastIndex = index
  else if (currentId.get() === null && rows.length > 0) openReport(rows[0]!.id)
})

export function openReport(id: string | null): void {
  const index = shownRows.get().findIndex((row) => row.id === id)
  if (index >= 0) lastIndex = index
  currentId.set(id)
}

/** Moves by rows of the list; from a row that has left it, to the one that took its place. */
export function moveBy(step: 1 | -1): void {
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === currentId.get())
  const target = index >= 0 ? index + step : step === 1 ? lastIndex : lastIndex - 1
  const row = rows[Math.max(0, Math.min(rows.length - 1, target))]
  if (row !== undefined) openReport(row.id)
}

/** Opens the row that takes the place of these once they leave the list; null if none is left. */
export function leaveRows(ids: readonly string[]): void {
  const current = currentId.get()
  if (current === null || !ids.includes(current)) return
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === current)
  const isLeft = ({ id }: { id: string }) => !ids.includes(id)
  const next = rows.slice(index + 1).find(isLeft) ?? rows.slice(0, Math.max(0, index)).findLast(isLeft)
  openReport(next?.id ?? null)
}

/** The next rows after the current one, to be read ahead. */
export function nextIds(count: number): string[] {
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === currentId.get())
  return rows.slice(index + 1, index + 1 + count).map(({ id }) => id)
}
