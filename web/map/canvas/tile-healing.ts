import type { Map as MapLibre, MapSourceDataEvent, VectorTileSource } from 'maplibre-gl'
import { mapTiles } from '../data/map-tiles.ts'
import { snapshot } from '../data/snapshot.ts'
import { serverNow } from '../initial-data.ts'
import { reconnectDelay } from '../live/freshness.ts'

const FIRST_RETRY_DELAY_MS = 2000

export interface TileHealing {
  /** Loads the tiles again, those that failed included. */
  reload(): void
  /** Shows the tiles of another address. */
  setUrl(url: string): void
  stop(): void
}

/**
 * Loads failed tiles again: MapLibre itself asks once. They are tried with growing delays, and at
 * once when list and counts have been loaded again.
 */
export function healTiles(map: MapLibre): TileHealing {
  let failed = false
  /** From a new address until MapLibre has begun to load it; until then the old tiles count as loaded. */
  let awaitsContent = false
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const noteRequest = () => {
    clearTimeout(timer)
    timer = undefined
    failed = false
    mapTiles.set('loading')
    map.triggerRepaint()
  }
  const reload = () => {
    noteRequest()
    if (map.getSource('incidents')) map.refreshTiles('incidents')
  }
  const onError = ({ sourceId }: { sourceId?: string }) => {
    if (sourceId !== 'incidents') return
    failed = true
    mapTiles.set('failed')
    // A service that asks for a pause is given it: the tiles come from the same one.
    const pause = (snapshot.get().failure?.retryAt ?? 0) - serverNow()
    timer ??= setTimeout(reload, Math.max(pause, reconnectDelay(attempt++, FIRST_RETRY_DELAY_MS, Math.random)))
  }
  const setUrl = (url: string) => {
    noteRequest()
    awaitsContent = true
    map.getSource<VectorTileSource>('incidents')?.setTiles([url])
  }
  const onData = ({ sourceId, sourceDataType }: MapSourceDataEvent) => {
    if (sourceId === 'incidents' && sourceDataType === 'content') awaitsContent = false
    noteLoaded()
  }
  // The map itself may be busy with other sources, or have nothing to draw and so never be idle.
  const noteLoaded = () => {
    if (failed || awaitsContent || !map.getSource('incidents') || !map.isSourceLoaded('incidents')) return
    attempt = 0
    mapTiles.set('loaded')
  }
  map.on('error', onError as never)
  map.on('sourcedata', onData)
  map.on('render', noteLoaded)
  const unsubscribe = snapshot.subscribe((now, before) => {
    const isLoadedAgain = now.failure === null && (before.failure !== null || now.statistics !== before.statistics)
    if (failed && isLoadedAgain) reload()
  })
  return {
    reload,
    setUrl,
    stop() {
      unsubscribe()
      clearTimeout(timer)
      map.off('error', onError as never)
      map.off('sourcedata', onData)
      map.off('render', noteLoaded)
    },
  }
}
