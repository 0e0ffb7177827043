import { useEffect, useRef, useState } from 'preact/hooks'
import { loadSmallMap } from '../../shared/parts/load-small-map.ts'
import { messageOf } from '../../shared/session/send.ts'
import { MAX_CIRCLES } from './site-features.ts'
import type { Site } from './site-list.ts'
import type { SitesMap } from './sites-map.ts'

/** The sites on a map, so that a wrong position is seen. */
export function SitesMapField({ sites }: { sites: readonly Site[] }) {
  const container = useRef<HTMLDivElement>(null)
  const map = useRef<SitesMap | null>(null)
  const [isReady, setReady] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    loadSmallMap(import('./sites-map.ts')).then(
      ([{ createSitesMap }, parts]) => {
        if (isGone) return
        map.current = createSitesMap(container.current!, parts)
        setReady(true)
      },
      (error: unknown) => setMessage(`The map cannot be shown: ${messageOf(error)}`),
    )
    return () => {
      isGone = true
      map.current?.remove()
    }
  }, [])
  useEffect(() => map.current?.showSites(sites), [sites, isReady])
  return (
    <div class="area-field">
      {message !== null && <p role="status">{message}</p>}
      <div class="area-map-frame">
        <div ref={container} class="small-map sites-map" aria-busy="true" />
        <div class="zoom">
          <button type="button" class="button" onClick={() => map.current?.zoomBy(1)}>
            <span aria-hidden="true">+</span>
            <span class="hidden">Zoom in</span>
          </button>
          <button type="button" class="button" onClick={() => map.current?.zoomBy(-1)}>
            <span aria-hidden="true">−</span>
            <span class="hidden">Zoom out</span>
          </button>
        </div>
      </div>
      {sites.length > MAX_CIRCLES && <p class="quiet">So many sites are drawn without their circles.</p>}
    </div>
  )
}
