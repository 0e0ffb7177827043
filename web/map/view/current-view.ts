import { createStore } from '../../shared/store.ts'
import { initialData } from '../initial-data.ts'
import { addressText, readView, type View, writeView } from './view.ts'

/** The server has corrected the address of the first view; later ones are written by the page. */
export const currentView = createStore<View>(readView(new URLSearchParams(initialData.address), location.pathname))

/** The page's note on an entry of the browser's history. */
interface HistoryNote {
  /** The entry before this one shows the list that this card was opened from. */
  readonly openedFromList?: boolean
}

// The address says what is shown: codes for names, without what could not be read.
if (new URLSearchParams(location.search).toString() !== initialData.address)
  history.replaceState(null, '', `${location.pathname}?${addressText(new URLSearchParams(initialData.address))}`)

/**
 * Changes the view and its address. `push` adds a step to the browser's history, for changes that a
 * person may want to undo with the back button; `replace` only replaces the address.
 */
export function changeView(changes: Partial<View>, mode: 'push' | 'replace' = 'push'): void {
  const before = currentView.get()
  const next = { ...before, ...changes }
  const address = addressOf(next)
  if (mode === 'push' && address !== addressOf(before)) {
    flushReplace()
    const opensCard = next.incident !== null && before.incident === null
    const note: HistoryNote = opensCard ? { openedFromList: true } : {}
    history.pushState(note, '', address)
  } else scheduleReplace()
  currentView.set(next)
}

/** Opens a card. From one card to the next, Back still leads to the list. */
export function openIncident(id: string): void {
  changeView({ incident: id }, currentView.get().incident === null ? 'push' : 'replace')
}

/**
 * Closes the card by going back to the list that it was opened from. A second entry for that list
 * would make Back open the card again.
 */
export function closeIncident(): void {
  flushReplace()
  if ((history.state as HistoryNote | null)?.openedFromList) history.back()
  else changeView({ incident: null }, 'replace')
}

export function addressOf(view: View): string {
  const query = addressText(writeView(view))
  return query ? `/?${query}` : '/'
}

const REPLACE_DELAY_MS = 300

let timer: ReturnType<typeof setTimeout> | undefined

/** Delays the replacement: browsers refuse a hundred within seconds, as a drag would cause. */
function scheduleReplace(): void {
  clearTimeout(timer)
  timer = setTimeout(replaceNow, REPLACE_DELAY_MS)
}

/** The entry that is left must have the address of what it showed. */
function flushReplace(): void {
  if (timer !== undefined) replaceNow()
}

function replaceNow(): void {
  clearTimeout(timer)
  timer = undefined
  history.replaceState(history.state, '', addressOf(currentView.get()))
}

addEventListener('popstate', () => {
  clearTimeout(timer)
  timer = undefined
  currentView.set(readView(new URLSearchParams(location.search), location.pathname))
})
