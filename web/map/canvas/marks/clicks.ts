import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { changeView, openIncident } from '../../view/current-view.ts'
import type { BoundingBox } from '../../view/view.ts'
import { isDrawing, USER_MOVE } from '../commands.ts'
import type { Mark } from './mark.ts'
import { MOUSE_RADIUS_PX, nearestMark, TOUCH_RADIUS_PX } from './nearest-mark.ts'

/** From this zoom on, a cluster is not taken apart any further. */
const LIST_MIN_ZOOM = 14
/** Incidents closer than this, about 150 m, are still one cluster at that zoom. */
const INSEPARABLE_DEGREES = 0.0014

export type OnHover = (mark: Mark | null) => void

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
