import type { MapGeoJSONFeature, Map as MapLibre, MapMouseEvent, PointLike } from 'maplibre-gl'
import { changeView, currentView, openIncident } from '../view/current-view.ts'
import type { BoundingBox } from '../view/view.ts'
import { isDrawing, USER_MOVE } from './commands.ts'
import { heatWeight, MARK_LAYERS } from './layers/marks.ts'
import { type Mark, markOf } from './mark.ts'

/** From this zoom on, a cluster is not taken apart any further. */
const LIST_MIN_ZOOM = 14
/** Incidents closer than this, about 150 m, are still one cluster at that zoom. */
const INSEPARABLE_DEGREES = 0.0014

type OnHover = (mark: Mark | null) => void

/** Handles clicks: an incident opens its card, a cluster zooms in or opens as a list. */
export function handleClicks(map: MapLibre, animate: () => boolean, onHover: OnHover): void {
  map.on('click', (event) => {
    // The click adds a point to what is drawn.
    if (isDrawing()) return
    const mark = nearestMark(map, event.point.x, event.point.y, reachOf(event))
    if (mark === null) return
    // A finger does not hover: the area is shown at the tap.
    onHover(mark)
    openMark(mark)
  })
  let hovered = ''
  map.on('mousemove', ({ point }) => {
    if (isDrawing()) return
    const mark = nearestMark(map, point.x, point.y, MOUSE_RADIUS_PX)
    map.getCanvas().style.cursor = mark === null ? '' : 'pointer'
    const key = mark === null ? '' : `${mark.id} ${mark.lng} ${mark.lat}`
    if (key !== hovered) onHover(mark)
    hovered = key
  })
  map.on('mouseout', () => {
    hovered = ''
    onHover(null)
  })

  function openMark({ id, box, isSamePoint }: Mark): void {
    if (id !== null) openIncident(id)
    else if (box === null) return
    else if (isSamePoint || map.getZoom() >= LIST_MIN_ZOOM || isInseparable(box)) changeView({ box, incident: null })
    else {
      const [west, south, east, north] = box
      const options = { padding: paddingOf(map), maxZoom: LIST_MIN_ZOOM, animate: animate() }
      map.fitBounds([west, south, east, north], options, USER_MOVE)
    }
  }
}

function isInseparable([west, south, east, north]: BoundingBox): boolean {
  return east - west < INSEPARABLE_DEGREES && north - south < INSEPARABLE_DEGREES
}

function reachOf({ originalEvent }: MapMouseEvent): number {
  return (originalEvent as PointerEvent).pointerType === 'mouse' ? MOUSE_RADIUS_PX : TOUCH_RADIUS_PX
}

/** Leaves room for whole discs; a sixth of a small map is less than 60 pixels. */
function paddingOf(map: MapLibre): number {
  const { clientWidth, clientHeight } = map.getContainer()
  return Math.min(60, clientWidth / 6, clientHeight / 6)
}

/** A finger covers about 44 pixels. */
const TOUCH_RADIUS_PX = 22
const MOUSE_RADIUS_PX = 10
const DRAWN_RADIUS_PX = { cluster: 16, single: 6 } as const

/**
 * Returns the mark whose drawing is nearest to the point of the screen; null if none is within
 * reach.
 */
function nearestMark(map: MapLibre, x: number, y: number, reach: number): Mark | null {
  const layers = MARK_LAYERS.filter((id) => map.getLayer(id))
  if (layers.length === 0) return null
  const box: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  const distanceTo = (mark: Mark) => {
    const at = map.project([mark.lng, mark.lat])
    return Math.hypot(at.x - x, at.y - y) - (mark.id === null ? DRAWN_RADIUS_PX.cluster : DRAWN_RADIUS_PX.single)
  }
  const marks = renderedFeatures(map, layers, box).map((feature: MapGeoJSONFeature) => markOf(feature))
  const [nearest] = marks.toSorted((one, other) => distanceTo(one) - distanceTo(other))
  return nearest ?? null
}

/**
 * Returns a function that follows what the tiles show together: the fullest cell, which scales the
 * heat, and the numbers on the marks in sight (`data-marks`, absent while the map moves or loads),
 * which tests compare with the API. Call it whenever the map is idle, and with
 * `force` after the style was replaced.
 */
export function drawnMarksUpdater(map: MapLibre): (force?: boolean) => void {
  let scaledBy = 0
  const container = map.getContainer()
  for (const change of ['movestart', 'dataloading'] as const) map.on(change, () => delete container.dataset.marks)
  return (force = false) => {
    const { layer } = currentView.get()
    if (layer === 'incidents') container.dataset.marks = countsOn(map).join(' ')
    if (layer !== 'heat' || !map.getLayer('heat')) return
    const features = map.querySourceFeatures('incidents', { sourceLayer: 'incidents' })
    const maxCount = Math.max(1, ...features.map(({ properties }) => Number(properties.count ?? 1)))
    // An update makes the map idle once more: without this check it would never end.
    if (scaledBy === maxCount && !force) return
    scaledBy = maxCount
    map.setPaintProperty('heat', 'heatmap-weight', heatWeight(maxCount))
  }
}

/** Returns the number on each mark in sight, largest first; a single incident counts 1. */
function countsOn(map: MapLibre): number[] {
  const layers = MARK_LAYERS.filter((id) => map.getLayer(id))
  const marks = renderedFeatures(map, layers).map((feature: MapGeoJSONFeature) => markOf(feature))
  return marks.map(({ count }) => count).sort((one, other) => other - one)
}

/**
 * Returns the features that are drawn. MapLibre 6.17 throws "Out of bounds" while a tile that has
 * become empty is still drawn with its old marks; thrown inside one of its frames, that would stop
 * the map for good.
 */
export function renderedFeatures(map: MapLibre, layers: string[], box?: [PointLike, PointLike]): MapGeoJSONFeature[] {
  try {
    return box === undefined ? map.queryRenderedFeatures({ layers }) : map.queryRenderedFeatures(box, { layers })
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Out of bounds')) return []
    throw error
  }
}
