import type { Map as MapLibre } from 'maplibre-gl'
import { COLOURS, type Colours } from '../../../../shared/ground/colours.ts'
import { drawTown, type MapImage } from '../../../../shared/ground/images.ts'
import { drawBadge, drawHatch } from './area-image.ts'
import { drawCluster } from './cluster-image.ts'
import { drawDot, drawIcon } from './incident-image.ts'

const DRAWINGS: Readonly<Record<string, (colours: Colours, parts: readonly string[]) => MapImage>> = {
  cluster: drawCluster,
  dot: drawDot,
  icon: drawIcon,
  badge: drawBadge,
  hatch: drawHatch,
  town: drawTown,
}

/** An image takes up to 28 kB; more than a screen shows at once are kept for later. */
const MAX_IMAGES = 1200

/**
 * Draws an image when MapLibre first asks for it. The name has the content: `dot/dark/2/high/crime`
 * is a recent incident for the dark theme.
 */
export function drawMarkImage(name: string): MapImage | null {
  const [kind, theme, ...parts] = name.split('/')
  const draw = DRAWINGS[kind!]
  return draw !== undefined && (theme === 'light' || theme === 'dark') ? draw(COLOURS[theme], parts) : null
}

/** Adds missing images to the map, and removes half of them if they are too many. */
export function provideMarkImages(map: MapLibre): void {
  const names = new Set<string>()
  map.setMissingStyleImageResolver((name) => {
    const image = drawMarkImage(name)
    if (image === null) return
    map.addImage(name, image.data, { pixelRatio: image.pixelRatio })
    names.add(name)
    if (names.size <= MAX_IMAGES) return
    for (const oldest of [...names].slice(0, MAX_IMAGES / 2)) {
      // A tile that still shows it asks for it again.
      map.removeImage(oldest)
      names.delete(oldest)
    }
  })
}
