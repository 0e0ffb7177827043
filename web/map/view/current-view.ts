import { createStore } from '../../shared/store.ts'
import { addressText, readView, type View, writeView } from './view.ts'

export const currentView = createStore<View>(viewInAddress())

/**
 * Changes the view and its address. `step` is for what a person would want to come back from: it joins the browser's
 * history; anything else only replaces the address.
 */
export function changeView(changes: Partial<View>, how: 'step' | 'replace' = 'step'): void {
  const before = currentView.get()
  const next = { ...before, ...changes }
  const address = addressOf(next)
  if (how === 'step' && address !== addressOf(before)) history.pushState(null, '', address)
  else schedule()
  currentView.set(next)
}

export function addressOf(view: View): string {
  const query = addressText(writeView(view))
  return query ? `/?${query}` : '/'
}

/** Browsers refuse an address that changes a hundred times within seconds, as it would while the map is dragged. */
let timer: ReturnType<typeof setTimeout> | undefined
function schedule(): void {
  clearTimeout(timer)
  timer = setTimeout(() => history.replaceState(null, '', addressOf(currentView.get())), 300)
}

addEventListener('popstate', () => {
  clearTimeout(timer)
  currentView.set(viewInAddress())
})

function viewInAddress(): View {
  return readView(new URLSearchParams(location.search), location.pathname)
}
