import { useEffect } from 'preact/hooks'
import { loadSmallMap } from '../../../shared/parts/load-small-map.ts'
import { useSmallMap } from '../../area-map/use-small-map.ts'
import { ZoomButtons } from '../../area-map/zoom-buttons.tsx'
import type { Site } from '../site-list.ts'
import { MAX_CIRCLES } from './site-features.ts'
import type { SitesMap } from './sites-map.ts'

async function loadSitesMap(container: HTMLElement): Promise<SitesMap> {
  const [{ createSitesMap }, parts] = await loadSmallMap(import('./sites-map.ts'))
  return createSitesMap(container, parts)
}

/** The sites on a map, so that a wrong position is seen. */
export function SitesMapField({ sites }: { sites: readonly Site[] }) {
  const { container, map, isReady, fault } = useSmallMap(loadSitesMap)
  useEffect(() => map.current?.showSites(sites), [sites, isReady])
  return (
    <div class="area-field">
      {fault !== null && <p role="status">{fault}</p>}
      <div class="area-map-frame">
        <div ref={container} class="small-map sites-map" aria-busy="true" />
        <ZoomButtons onZoom={(levels) => map.current?.zoomBy(levels)} />
      </div>
      {sites.length > MAX_CIRCLES && <p class="quiet">So many sites are drawn without their circles.</p>}
    </div>
  )
}
