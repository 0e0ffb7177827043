import { type GeoJSONSource, type Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import { boxAround } from '../../shared/ground/circle.ts'
import { loadDetailWhenNear } from '../../shared/ground/ground-data.ts'
import { REDUCED_MOTION } from '../../shared/hooks.ts'
import { theme } from '../../shared/theme.ts'
import { api } from '../api.ts'
import { currentQuestion, visibleBox } from '../data/current-question.ts'
import { isAnswer, mapQuery, type Question } from '../data/question.ts'
import { selectedIncident } from '../data/selected-incident.ts'
import { snapshot } from '../data/snapshot.ts'
import { startStateCounts, stateCounts } from '../data/state-counts.ts'
import { initialData, serverNow } from '../initial-data.ts'
import { onFeedEvent } from '../live/feed.ts'
import { changeView, currentView } from '../view/current-view.ts'
import type { View } from '../view/view.ts'
import { drawnMarksUpdater, handleClicks, renderedFeatures } from './clicks.ts'
import { drawnArea, drawnRoad, flyTarget, hoveredPoint, mapTiles, USER_MOVE, zoomRequest } from './commands.ts'
import { cameraOf, createMap, moveCamera, showsNigeria, visibleBoxOf } from './create-map.ts'
import { showHovered, showHoveredMark, showPulse, showSelected } from './highlights.ts'
import { setMapIdle } from './idle.ts'
import { MARK_LAYERS, updateRecency } from './layers/marks.ts'
import type { AreaBoundaries } from './mark.ts'
import { boxOfPlaces, drawPointsOn, openStatesOn, placeFeatures, sameChoice, showBox } from './places.ts'
import type { Boundaries } from './style/labels.ts'
import { buildStyle, loadBaseStyle } from './style/style.ts'
import { recencyWindowOf } from './style/style-options.ts'
import { healTiles } from './tile-healing.ts'

const LGAS_MIN_ZOOM = 6.5
/** The interval at which marks fade with the time that passes. */
const RECENCY_INTERVAL_MS = 600_000

/** Draws the map and keeps it up to date with the page. Returns the function that removes it. */
export async function startMap(container: HTMLElement, states: Boundaries, workerUrl: string): Promise<() => void> {
  setWorkerUrl(workerUrl)
  const baseStyle = await loadBaseStyle(initialData.styleUrl)
  const reducedMotion = matchMedia(REDUCED_MOTION)
  const animate = () => !reducedMotion.matches
  let lgas: Boundaries | null = null
  const places = () => placeFeatures(currentView.get(), drawnRoad.get() ?? [], drawnArea.get())
  const showPlaces = () => map.getSource<GeoJSONSource>('places')?.setData(places())
  const currentStyle = () => {
    const view = currentView.get()
    const question = currentQuestion.get()
    return buildStyle({
      theme: theme.get(),
      layer: view.layer,
      states,
      lgas,
      tilesUrl: tilesUrlFor(question),
      recency: recencyWindowOf(question, serverNow()),
      chosen: view.states,
      shapes: view,
      places: places(),
      countsByState: stateCounts.get() ?? new Map(),
      baseStyle,
    })
  }
  const boundaries = (): AreaBoundaries => ({ states, lgas })
  const map = createMap(container, currentStyle(), currentView.get().camera, animate())
  let isStopping = false
  const showChosenPlaces = (view: View, animated: boolean, eventData?: object) => {
    const box = boxOfPlaces(view, states)
    if (box !== null) showBox(map, box, animated, eventData)
    else if (map.isMoving()) {
      // The way to a place that is no longer chosen, for example after Back.
      isStopping = true
      map.stop()
      isStopping = false
      moveCamera(map, view.camera, animated)
    }
  }
  if (currentView.get().camera === null) showChosenPlaces(currentView.get(), false)
  loadDetailWhenNear(map)
  openStatesOn(map)
  const updateDrawnMarks = drawnMarksUpdater(map)
  const tiles = healTiles(map)
  handleClicks(map, animate, (mark) => showHoveredMark(map, mark, boundaries()))
  const fadeMarks = () =>
    updateRecency(map, { theme: theme.get(), recency: recencyWindowOf(currentQuestion.get(), serverNow()) })

  const restyle = () => {
    map.setStyle(currentStyle())
    map.once('idle', () => {
      updateDrawnMarks(true)
      showSelected(map, boundaries())
    })
  }
  const loadLgas = async () => {
    if (!initialData.hasLgas || lgas !== null || map.getZoom() < LGAS_MIN_ZOOM) return
    map.off('zoomend', loadLgas)
    try {
      lgas = await api.getJson<Boundaries>('/v1/places/lgas.geojson', null)
      map.getSource<GeoJSONSource>('lgas')?.setData(lgas)
    } catch (error) {
      console.warn('The LGAs could not be loaded; the next zoom tries again:', error)
      map.on('zoomend', loadLgas)
    }
  }

  /** Marks the first frame with incidents in it, for `npm run bench -- map`. */
  const markFirstIncidents = () => {
    const layers = ['heat', 'shades', ...MARK_LAYERS].filter((id) => map.getLayer(id))
    if (renderedFeatures(map, layers).length === 0) return
    map.off('render', markFirstIncidents)
    performance.mark('incidents-drawn')
  }

  const updateVisibleBox = () => {
    const box = visibleBoxOf(map)
    if (box?.join() !== visibleBox.get()?.join()) visibleBox.set(box)
  }

  map.on('moveend', (event) => {
    updateVisibleBox()
    // Movements by the page itself, or by a resized window, do not change the address.
    const isUserMove = event.originalEvent || 'userMove' in event
    if (!isUserMove || isStopping) return
    // A jump to a place can be undone with Back; dragging and zooming are many small steps.
    const isJump = 'userMove' in event && !('step' in event)
    changeView({ camera: showsNigeria(map) ? null : cameraOf(map) }, isJump ? 'push' : 'replace')
  })
  map.on('movestart', () => setMapIdle(false))
  map.on('dataloading', () => setMapIdle(false))
  map.on('idle', () => {
    setMapIdle(true)
    updateDrawnMarks()
  })
  map.on('zoomend', loadLgas)
  map.on('render', markFirstIncidents)

  const unsubscribes = [
    currentView.subscribe((view, before) => {
      if (view.layer !== before.layer || !sameChoice(view, before)) restyle()
      if (view.camera !== before.camera) moveCamera(map, view.camera, animate())
      else if (!sameChoice(view, before)) showChosenPlaces(view, animate(), { ...USER_MOVE, step: true })
    }),
    currentQuestion.subscribe((question, before) => {
      const tilesUrl = tilesUrlFor(question)
      if (tilesUrl === tilesUrlFor(before)) return
      tiles.setUrl(tilesUrl)
      fadeMarks()
    }),
    snapshot.subscribe(({ statistics }, before) => {
      // The marks follow list and counts to the next moment; a new question has its own tiles.
      // The first tiles were asked for after the page was made: they have all that the page has.
      const positionBefore = before.statistics?.position ?? initialData.list.meta.position
      if (statistics === null || statistics.position === positionBefore) return
      tiles.reload()
    }),
    mapTiles.subscribe((state) => container.setAttribute('aria-busy', String(state !== 'loaded'))),
    tiles.stop,
    theme.subscribe(restyle),
    stateCounts.subscribe(restyle),
    drawnRoad.subscribe(showPlaces),
    drawnArea.subscribe(showPlaces),
    startStateCounts(),
    ...drawPointsOn(map),
    drawForPrint(map),
    selectedIncident.subscribe(() => showSelected(map, boundaries())),
    hoveredPoint.subscribe(() => showHovered(map, boundaries())),
    flyTarget.subscribe((target) => {
      if (target === null) return
      const box = boxAround(target.lat, target.lng, Math.max(target.radiusKm, 4) * 1.6)
      map.fitBounds(box, { maxZoom: 11, animate: animate(), duration: 600 }, USER_MOVE)
    }),
    zoomRequest.subscribe(({ levels }) =>
      map.zoomTo(map.getZoom() + levels, { duration: animate() ? 200 : 0 }, { ...USER_MOVE, step: true }),
    ),
    onFeedEvent((event) => {
      if (event.kind !== 'created' || !isAnswer(event.incident, currentQuestion.get())) return
      if (animate()) showPulse(map, event.incident.lat, event.incident.lng)
    }),
  ]
  await new Promise<void>((resolve) => map.once('load', () => resolve()))
  updateVisibleBox()
  showSelected(map, boundaries())
  const fading = setInterval(fadeMarks, RECENCY_INTERVAL_MS)
  await loadLgas()
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    clearInterval(fading)
    map.remove()
  }
}

function tilesUrlFor(question: Question): string {
  const query = mapQuery(question).toString()
  return `${location.origin}/v1/tiles/{z}/{x}/{y}.mvt${query && `?${query}`}`
}

/**
 * Puts a picture of the map beside it while the page is printed: the map's own canvas is blank on
 * paper. Returns the function that stops it.
 */
function drawForPrint(map: MapLibre): () => void {
  const picture = document.createElement('canvas')
  picture.className = 'map-print'
  const draw = () => {
    // WebGL forgets what it has drawn once it is on the screen: draw again and copy it at once.
    map.redraw()
    const drawn = map.getCanvas()
    picture.width = drawn.width
    picture.height = drawn.height
    picture.getContext('2d')!.drawImage(drawn, 0, 0)
    map.getContainer().append(picture)
  }
  const remove = () => picture.remove()
  addEventListener('beforeprint', draw)
  addEventListener('afterprint', remove)
  return () => {
    removeEventListener('beforeprint', draw)
    removeEventListener('afterprint', remove)
  }
}
