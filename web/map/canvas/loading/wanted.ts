import { WIDE_SCREEN } from '../../../shared/hooks.ts'
import { createStore } from '../../../shared/store.ts'
import { currentView } from '../../view/current-view.ts'
import { type Connection, loadsAtOnce } from './load-policy.ts'

/**
 * `picture`: the SVG map stands until somebody touches it. `unsupported`: the browser has no WebGL,
 * so it stays.
 */
type MapState = 'picture' | 'loading' | 'ready' | 'failed' | 'unsupported'

export const mapState = createStore<MapState>('picture')

/** Loads the map library, now that something needs it; again, if that has failed. */
export function wantMap(): void {
  const state = mapState.get()
  if (state === 'picture' || state === 'failed') mapState.set(hasWebGl() ? 'loading' : 'unsupported')
}

/** Decides once the page has been painted; what only the library draws needs it at once. */
export function startWanting(): void {
  const { connection } = navigator as { readonly connection?: Connection }
  const wantIfNeeded = () => {
    const { layer, road, polygon } = currentView.get()
    if (layer !== 'incidents' || road !== null || polygon !== null) wantMap()
  }
  currentView.subscribe(wantIfNeeded)
  wantIfNeeded()
  const smallScreen = !matchMedia(WIDE_SCREEN).matches && !currentView.get().embed
  if (loadsAtOnce(connection, smallScreen)) requestAnimationFrame(() => setTimeout(wantMap))
}

/** Asks before 350 kB are loaded in vain. */
function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}
