import { createStore } from '../../shared/store.ts'
import { addressText, readView, type View, writeView } from './view.ts'

export const currentView = createStore<View>(viewInAddress())

/**
 * Changes the view and its address. `push` adds a step to the browser's history, for changes that a
 * person may want to undo with the back button; `replace` only replaces the address.
 */
export function changeView(changes: Partial<View>, mode: 'push' | 'replace' = 'push'): void {
  const before = currentView.get()
  const next = { ...before, ...changes }
  const address = addressOf(next)
  if (mode === 'push' && address !== addressOf(before)) history.pushState(null, '', address)
  else scheduleReplace()
  currentView.set(next)
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
  timer = setTimeout(() => history.replaceState(null, '', addressOf(currentView.get())), REPLACE_DELAY_MS)
}

addEventListener('popstate', () => {
  clearTimeout(timer)
  currentView.set(viewInAddress())
})

function viewInAddress(): View {
  return readView(new URLSearchParams(location.search), location.pathname)
}
