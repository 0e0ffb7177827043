import { useEffect, useRef, useState } from 'preact/hooks'
import { loadMap } from '../canvas/load.ts'

const HINT = 'The map could not be loaded. The list shows the same incidents; reload the page to try the map again.'

/** Where the map is drawn. Its library is large and comes after everything else. */
export function MapArea() {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading')
  useEffect(() => {
    let stop = () => {}
    let gone = false
    loadMap(place.current!)
      .then((started) => {
        if (gone) return started()
        stop = started
        setState('there')
      })
      .catch((error: unknown) => {
        console.warn('the map could not be started:', error)
        setState('failed')
      })
    return () => {
      gone = true
      stop()
    }
  }, [])
  return (
    <>
      <div class="map" ref={place} data-state={state} />
      {state !== 'there' && (
        <p class="map-note" role="status">
          {state === 'loading' ? 'The map is on its way …' : HINT}
        </p>
      )}
    </>
  )
}
