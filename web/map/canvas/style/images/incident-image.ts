import type { Severity } from '../../../../../src/domain/taxonomy.ts'
import type { Colours } from '../../../../shared/ground/colours.ts'
import { circlePath, drawImage, type MapImage } from '../../../../shared/ground/images.ts'
import { ICONS, type IconName } from './icons.ts'
import { STRENGTHS } from './strengths.ts'

const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 3, medium: 3.8, high: 4.6, critical: 5 }
const ICON_RADIUS = 10
/** The circles around the dot or the icon: never by colour alone. */
const RINGS: Readonly<Record<Severity, number>> = { low: 0, medium: 0, high: 1, critical: 2 }
const RING_STEP = 2.6

/**
 * Draws a single incident as a dot. `parts` are the recency, the severity and the name of the icon:
 * a release or rescue is a hollow dot of another colour.
 */
export function drawDot(colours: Colours, parts: readonly string[]): MapImage {
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
export function drawIcon(colours: Colours, parts: readonly string[]): MapImage {
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
