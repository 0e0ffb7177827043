import type { Severity } from '../../../../../src/domain/taxonomy.ts'
import type { Colours } from '../../../../shared/ground/colours.ts'
import { drawImage, type MapImage } from '../../../../shared/ground/images.ts'
import { STRENGTHS } from './strengths.ts'

/** The width by the number of characters, such as `+2` or `+1.2k`; none leaves its cell. */
const BADGE_WIDTHS = [26, 32, 38, 40] as const
const BADGE_HEIGHT = 18
const HATCH_SIDE = 8

/**
 * Draws the badge of incidents that are known only to their area. `parts` are the recency, the
 * index of the width and the severity.
 */
export function drawBadge(colours: Colours, parts: readonly string[]): MapImage {
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
export function drawHatch(colours: Colours): MapImage {
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
