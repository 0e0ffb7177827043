import { useEffect, useRef, useState } from 'preact/hooks'
import { loadMap } from '../canvas/load.ts'

const LOAD_FAILED =
  'The map could not be loaded. The list shows the same incidents; reload the page to try the map again.'

/** Draws the map. Its library is large, so it is loaded after everything else. */
export function MapArea() {
  const container = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  useEffect(() => {
    let removeMap = () => {}
    let unmounted = false
    loadMap(container.current!)
      .then((remove) => {
        if (unmounted) return remove()
        removeMap = remove
        setState('ready')
      })
      .catch((error: unknown) => {
        console.warn('The map could not be started:', error)
        setState('failed')
      })
    return () => {
      unmounted = true
      removeMap()
    }
  }, [])
  return (
    <>
      <div class="map" ref={container} data-state={state} />
      {state !== 'ready' && (
        <p class="map-note" role="status">
          {state === 'loading' ? 'The map is on its way …' : LOAD_FAILED}
        </p>
      )}
    </>
  )
}
