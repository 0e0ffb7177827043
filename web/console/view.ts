import { createStore } from '../shared/store.ts'

/** The parts of the console, in the order of the tabs. */
export const VIEWS = {
  start: 'Start',
  keys: 'Keys and usage',
  watches: 'Watches',
  areas: 'Areas',
  sites: 'Sites',
  deliveries: 'Deliveries',
  live: 'Live',
  account: 'Account',
} as const
export type ViewName = keyof typeof VIEWS

/** A part that is shown, and in it a watch, a delivery or the form for a new watch. */
interface Place {
  readonly view: ViewName
  /** The other members of the address, such as `watch`. */
  readonly query: Readonly<Record<string, string>>
}

export function placeOf(search: string): Place {
  const { view = 'start', ...query } = Object.fromEntries(new URLSearchParams(search))
  return Object.hasOwn(VIEWS, view) ? { view: view as ViewName, query } : { view: 'start', query: {} }
}

export function addressOf({ view, query }: Place): string {
  const search = new URLSearchParams({ ...(view === 'start' ? {} : { view }), ...query })
  return search.size === 0 ? '/console' : `/console?${search}`
}

export const place = createStore<Place>(placeOf(location.search))

/** Shows another part; the browser's back button leads back. */
export function show(view: ViewName, query: Readonly<Record<string, string>> = {}): void {
  const next = { view, query }
  history.pushState(null, '', addressOf(next))
  place.set(next)
  document.querySelector('main')?.scrollTo(0, 0)
}

/** Changes the address without a step in the history, for filters. */
export function replaceQuery(query: Readonly<Record<string, string>>): void {
  const next = { view: place.get().view, query }
  history.replaceState(null, '', addressOf(next))
  place.set(next)
}

export function followHistory(): void {
  addEventListener('popstate', () => place.set(placeOf(location.search)))
}
