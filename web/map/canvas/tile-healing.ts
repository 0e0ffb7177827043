import type { Map as MapLibre, MapSourceDataEvent, VectorTileSource } from 'maplibre-gl'
import { snapshot } from '../data/snapshot.ts'
import { serverNow } from '../initial-data.ts'
import { reconnectDelay } from '../live/freshness.ts'
import { mapTiles } from './commands.ts'

const FIRST_RETRY_DELAY_MS = 2000
/**
 * MapLibre sends no event for a tile whose ETag is the same as before, so loading tiles are
 * watched.
 */
const WATCH_INTERVAL_MS = 250

/** MapLibre's additions to an error of a source; `actor` is the worker that has loaded the tile. */
interface TileError {
  readonly sourceId?: string
  readonly tile?: { actor?: unknown }
}

interface TileHealing {
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
  let wantedUrl: string | null = null
  /**
   * From a new address until MapLibre has begun to load it; until then the old tiles count as
   * loaded.
   */
  let awaitsContent = false
  /**
   * Set by a request for tiles that are still on their way: MapLibre would only draw the old
   * response once more when it arrives.
   */
  let loadsAgain = false
  let attempt = 0
  let retrying: ReturnType<typeof setTimeout> | undefined
  let watching: ReturnType<typeof setInterval> | undefined
  const source = () => map.getSource<VectorTileSource>('incidents')
  const isLoaded = () => source() !== undefined && map.isSourceLoaded('incidents')

  const noteRequest = () => {
    clearTimeout(retrying)
    retrying = undefined
    failed = false
    mapTiles.set('loading')
    watching ??= setInterval(noteLoaded, WATCH_INTERVAL_MS)
    map.triggerRepaint()
  }
  const reload = () => {
    loadsAgain = !isLoaded()
    noteRequest()
    if (source()) map.refreshTiles('incidents')
  }
  const setUrl = (url: string) => {
    wantedUrl = url
    loadsAgain = !isLoaded()
    awaitsContent = true
    // Before the new address: a frame after it that changes the style would make MapLibre draw the
    // old responses once more instead of asking for new ones.
    noteRequest()
    source()?.setTiles([url])
  }
  const onError = ({ sourceId, tile }: TileError) => {
    if (sourceId !== 'incidents') return
    failed = true
    mapTiles.set('failed')
    // With its worker, a failed tile would wait for the request that has failed: for ever.
    if (tile) delete tile.actor
    // A service that asks for a pause is given it: the tiles come from the same one.
    const pause = (snapshot.get().failure?.retryAt ?? 0) - serverNow()
    retrying ??= setTimeout(reload, Math.max(pause, reconnectDelay(attempt++, FIRST_RETRY_DELAY_MS, Math.random)))
  }
  const onData = ({ sourceId, sourceDataType }: MapSourceDataEvent) => {
    if (sourceId === 'incidents' && sourceDataType === 'content') awaitsContent = false
    noteLoaded()
  }
  // The map itself may be busy with other sources, or have nothing to draw and so never be idle.
  const noteLoaded = () => {
    if (failed || awaitsContent || !isLoaded()) return
    // An address that was set while a style was being replaced went with the old one.
    if (wantedUrl !== null && source()!.tiles[0] !== wantedUrl) return setUrl(wantedUrl)
    if (loadsAgain) return reload()
    attempt = 0
    mapTiles.set('loaded')
    if (watching === undefined) return
    clearInterval(watching)
    watching = undefined
    // Without a frame the map would not become idle, either.
    map.triggerRepaint()
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
      clearTimeout(retrying)
      clearInterval(watching)
      map.off('error', onError as never)
      map.off('sourcedata', onData)
      map.off('render', noteLoaded)
    },
  }
}
