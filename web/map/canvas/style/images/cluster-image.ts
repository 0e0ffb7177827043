import { SEVERITIES } from '../../../../../src/domain/taxonomy.ts'
import { DISC_RADIUS_PIXELS } from '../../../../../src/filter/tile.ts'
import type { Colours } from '../../../../shared/ground/colours.ts'
import { circlePath, drawImage, type MapImage } from '../../../../shared/ground/images.ts'
import { STRENGTHS } from './strengths.ts'

/** The radius by the number of digits; the largest may not leave its cell of the grid. */
const DISC_RADII = [14, 17, DISC_RADIUS_PIXELS, DISC_RADIUS_PIXELS] as const

const RING_WIDTH = 3
/** The dashed circle outside the ring says that some incidents are known only to their area. */
const DASH_SPACE = 2.6

/**
 * Draws a disc with the shares of the four severities around it. `parts` are the recency, the index
 * of the radius, 1 if some incidents are imprecise, and the four shares.
 */
export function drawCluster(colours: Colours, parts: readonly string[]): MapImage {
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
