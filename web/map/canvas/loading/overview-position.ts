import { OVERVIEW_BOX, OVERVIEW_CORNER, worldPixels, worldPosition } from '../../../../src/filter/overview-map.ts'
import type { Camera } from '../../view/view.ts'

/** MapLibre's own lower limit; the SVG map must lie where MapLibre will draw. */
export const MIN_ZOOM = 3.5

interface Padding {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The position of the SVG map's corner in the map area, in pixels, and its zoom. */
interface OverviewPosition {
  readonly zoom: number
  readonly left: number
  readonly top: number
}

const NORTH_WEST = worldPosition(OVERVIEW_BOX.west, OVERVIEW_BOX.north)
const SOUTH_EAST = worldPosition(OVERVIEW_BOX.east, OVERVIEW_BOX.south)

/** Fits all of Nigeria into the padded area, or takes the camera, exactly as MapLibre does. */
export function overviewPosition(size: Size, padding: Padding, camera: Camera | null): OverviewPosition {
  const zoom = camera?.zoom ?? fittingZoom(size, padding)
  const world = worldPixels(zoom)
  const center = camera
    ? worldPosition(camera.lng, camera.lat)
    : { x: (NORTH_WEST.x + SOUTH_EAST.x) / 2, y: (NORTH_WEST.y + SOUTH_EAST.y) / 2 }
  const shift = camera ? { x: 0, y: 0 } : { x: padding.left - padding.right, y: padding.top - padding.bottom }
  return {
    zoom,
    left: (size.width + shift.x) / 2 - (center.x - OVERVIEW_CORNER.x) * world,
    top: (size.height + shift.y) / 2 - (center.y - OVERVIEW_CORNER.y) * world,
  }
}

function fittingZoom({ width, height }: Size, { top, bottom, left, right }: Padding): number {
  const across = Math.max(1, width - left - right) / (SOUTH_EAST.x - NORTH_WEST.x)
  const down = Math.max(1, height - top - bottom) / (SOUTH_EAST.y - NORTH_WEST.y)
  return Math.max(MIN_ZOOM, Math.log2(Math.min(across, down) / worldPixels(0)))
}

/**
 * The style sheets say where Nigeria fits, because they place what lies over the map: the element
 * `.map-frame` beside the map's container.
 */
export function overviewPadding(container: HTMLElement): Padding {
  const outer = container.getBoundingClientRect()
  const inner = container.parentElement!.querySelector('.map-frame')!.getBoundingClientRect()
  return {
    top: inner.top - outer.top,
    bottom: outer.bottom - inner.bottom,
    left: inner.left - outer.left,
    right: outer.right - inner.right,
  }
}
