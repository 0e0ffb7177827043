import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { showSvgMap } from '../canvas/loading/svg-map.ts'
import { mapState, wantMap } from '../canvas/loading/wanted.ts'
import type { Boundaries } from '../canvas/style/labels.ts'

/** Shows the server's picture of the map, and MapLibre in its place once that has been loaded. */
export function MapArea() {
  const container = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLDivElement>(null)
  const state = useStore(mapState)
  const wanted = state === 'loading' || state === 'ready'
  useEffect(() => {
    if (!wanted) return
    let removeMap = () => {}
    let unmounted = false
    loadMap(container.current!)
      .then((remove) => {
        if (unmounted) return remove()
        removeMap = remove
        mapState.set('ready')
      })
      .catch((error: unknown) => {
        console.warn('The map could not be started:', error)
        mapState.set('failed')
      })
    return () => {
      unmounted = true
      removeMap()
    }
  }, [wanted])
  // Before the paint: the server's picture must not vanish for a frame.
  useLayoutEffect(() => (state === 'ready' ? undefined : showSvgMap(picture.current!)), [state === 'ready'])
  return (
    <>
      <div class="map-frame" />
      <div class="map" ref={container} data-state={state} />
      {state !== 'ready' && <div class="map-picture" ref={picture} onPointerDown={wantMap} onWheel={wantMap} />}
      <MapNote />
    </>
  )
}

function MapNote() {
  const state = useStore(mapState)
  if (state === 'ready') return null
  return (
    <p class={`map-note ${state}`} role="status">
      {t(`map.${state}`)}
    </p>
  )
}

/**
 * Loads everything that the map needs in parallel; one after the other, a slow connection would
 * wait four times. Returns the function that removes the map.
 */
async function loadMap(container: HTMLElement): Promise<() => void> {
  const states = api.getJson<Boundaries>('/v1/places/states.geojson', null)
  // Fills the browser's cache before MapLibre starts its worker, which reports any failure.
  fetch(workerUrl).catch(() => {})
  const { startMap } = await import('../canvas/start.ts')
  return startMap(container, await states, new URL(workerUrl, location.href).href)
}
