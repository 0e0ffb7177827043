import type { Map as MapLibre } from 'maplibre-gl'
import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import { DISC_RADIUS_PIXELS } from '../../../src/filter/tile.ts'
import { COLOURS, type Colours } from '../../shared/ground/colours.ts'
import { circlePath, drawImage, drawTown, type MapImage } from '../../shared/ground/images.ts'
import { ICONS, type IconName } from './style/icons.ts'

/** The strength of a mark by the age of its newest incident: old, middle, recent. */
const STRENGTHS = [0.4, 0.7, 1] as const

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
function drawMarkImage(name: string): MapImage | null {
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

const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 3, medium: 3.8, high: 4.6, critical: 5 }
const ICON_RADIUS = 10
/** The circles around the dot or the icon: never by colour alone. */
const RINGS: Readonly<Record<Severity, number>> = { low: 0, medium: 0, high: 1, critical: 2 }
const RING_STEP = 2.6

/**
 * Draws a single incident as a dot. `parts` are the recency, the severity and the name of the icon:
 * a release or rescue is a hollow dot of another colour.
 */
function drawDot(colours: Colours, parts: readonly string[]): MapImage {
  const [recency, severity, icon] = parts as [string, Severity, IconName]
  const radius = DOT_RADIUS[severity]
  const rings = isRelease(icon) ? 0 : RINGS[severity]
  const side = 2 * Math.ceil(radius + 2 + rings * RING_STEP)
  return drawImage(side, side, (context) => {
    context.globalAlpha = STRENGTHS[Number(recency)] ?? 1
    circlePath(context, radius)
    context.fillStyle = isRelease(icon) ? colours.panel : colours.severity[severity]
    context.fill()
    context.lineWidth = isRelease(icon) ? 2 : 1
    context.strokeStyle = isRelease(icon) ? colours.accent : colours.panel
    context.stroke()
    for (let ring = 1; ring <= rings; ring++)
      drawRing(context, radius + ring * RING_STEP - 0.3, colours.severity[severity])
  })
}

/** Draws a single incident as an icon in a disc whose edge has the colour of the severity. */
function drawIcon(colours: Colours, parts: readonly string[]): MapImage {
  const [recency, severity, icon] = parts as [string, Severity, IconName]
  const strength = STRENGTHS[Number(recency)] ?? 1
  const colour = isRelease(icon) ? colours.accent : colours.severity[severity]
  const side = 2 * (ICON_RADIUS + 4)
  return drawImage(side, side, (context) => {
    circlePath(context, ICON_RADIUS)
    context.fillStyle = colours.panel
    context.fill()
    context.globalAlpha = strength
    circlePath(context, ICON_RADIUS - 1)
    context.lineWidth = 2
    context.strokeStyle = colour
    context.stroke()
    if (severity === 'critical' && !isRelease(icon)) drawRing(context, ICON_RADIUS + 2.4, colour)
    context.translate(-7, -7)
    context.scale(14 / 16, 14 / 16)
    context.lineWidth = 1.6
    context.lineCap = context.lineJoin = 'round'
    context.strokeStyle = isRelease(icon) ? colours.accent : colours.ink
    context.stroke(new Path2D(ICONS[icon] ?? ICONS.armed_conflict))
  })
}

function isRelease(icon: IconName): boolean {
  return icon === 'hostage_release'
}

function drawRing(context: CanvasRenderingContext2D, radius: number, colour: string): void {
  circlePath(context, radius)
  context.lineWidth = 1.2
  context.strokeStyle = colour
  context.stroke()
}

/** The radius by the number of digits; the largest may not leave its cell of the grid. */
const DISC_RADII = [14, 17, DISC_RADIUS_PIXELS, DISC_RADIUS_PIXELS] as const

const RING_WIDTH = 3
/** The dashed circle outside the ring says that some incidents are known only to their area. */
const DASH_SPACE = 2.6

/**
 * Draws a disc with the shares of the four severities around it. `parts` are the recency, the index
 * of the radius, 1 if some incidents are imprecise, and the four shares.
 */
function drawCluster(colours: Colours, parts: readonly string[]): MapImage {
  const [recency, size, isImprecise, ...shares] = parts.map(Number)
  const radius = DISC_RADII[size!] ?? DISC_RADIUS_PIXELS
  const strength = STRENGTHS[recency!] ?? 1
  const outer = isImprecise === 1 ? radius - DASH_SPACE : radius
  return drawImage(2 * radius + 2, 2 * radius + 2, (context) => {
    circlePath(context, radius)
    context.fillStyle = colours.panel
    context.fill()
    if (isImprecise === 1) drawDashes(context, radius - 0.8, colours.quiet)
    drawShares(context, outer - RING_WIDTH / 2 - 0.5, shares, colours, strength)
  })
}

function drawDashes(context: CanvasRenderingContext2D, radius: number, colour: string): void {
  circlePath(context, radius)
  context.setLineDash([3, 2.5])
  context.lineWidth = 1.3
  context.strokeStyle = colour
  context.stroke()
  context.setLineDash([])
}

function drawShares(
  context: CanvasRenderingContext2D,
  radius: number,
  shares: readonly number[],
  colours: Colours,
  strength: number,
): void {
  const sum = shares.reduce((one, other) => one + other, 0) || 1
  const parts = SEVERITIES.map((severity, index) => ({ severity, share: (shares[index] ?? 0) / sum })).toReversed()
  // A gap between two colours, so that they can be told apart without seeing the hue.
  const gap = parts.filter(({ share }) => share > 0).length > 1 ? 0.1 : 0
  let angle = -Math.PI / 2
  context.lineWidth = RING_WIDTH
  context.globalAlpha = strength
  for (const { severity, share } of parts) {
    if (share === 0) continue
    const end = angle + share * 2 * Math.PI
    context.beginPath()
    context.arc(0, 0, radius, angle + gap / 2, Math.max(end - gap / 2, angle + gap / 2 + 0.05))
    context.strokeStyle = colours.severity[severity]
    context.stroke()
    angle = end
  }
}

/** The width by the number of characters, such as `+2` or `+1.2k`; none leaves its cell. */
const BADGE_WIDTHS = [26, 32, 38, 40] as const
const BADGE_HEIGHT = 18
const HATCH_SIDE = 8

/**
 * Draws the badge of incidents that are known only to their area. `parts` are the recency, the
 * index of the width and the severity.
 */
function drawBadge(colours: Colours, parts: readonly string[]): MapImage {
  const [recency, size, severity] = parts as [string, string, Severity]
  const width = BADGE_WIDTHS[Number(size)] ?? BADGE_WIDTHS[3]
  return drawImage(width, BADGE_HEIGHT, (context) => {
    context.beginPath()
    context.roundRect(1 - width / 2, 1 - BADGE_HEIGHT / 2, width - 2, BADGE_HEIGHT - 2, BADGE_HEIGHT / 2)
    context.fillStyle = colours.panel
    context.fill()
    context.globalAlpha = STRENGTHS[Number(recency)] ?? 1
    context.setLineDash([3, 2])
    context.lineWidth = 1.6
    context.strokeStyle = colours.severity[severity]
    context.stroke()
  })
}

/** Draws the pattern of an area in which an incident may have happened. */
function drawHatch(colours: Colours): MapImage {
  return drawImage(HATCH_SIDE, HATCH_SIDE, (context) => {
    context.globalAlpha = 0.5
    context.lineWidth = 1
    context.strokeStyle = colours.accent
    context.beginPath()
    // Beyond the corners, so that the lines of neighbouring squares join.
    for (const shift of [-HATCH_SIDE, 0, HATCH_SIDE]) {
      context.moveTo(shift - HATCH_SIDE, HATCH_SIDE)
      context.lineTo(shift + HATCH_SIDE, -HATCH_SIDE)
    }
    context.stroke()
  })
}
