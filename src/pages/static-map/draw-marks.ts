import type { Severity } from '../../domain/taxonomy.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from '../marks/find-marks.ts'
import { DOT_RINGS, severityRing } from '../marks/severity-ring.ts'
import { shortCount } from '../marks/short-count.ts'
import type { Palette } from './palette.ts'

const MIN_RADIUS = 14
const MAX_RADIUS = 24
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 4, medium: 5, high: 6, critical: 6.5 }

/**
 * A dot for one incident, a disc with its number for several; positions in pixels of the picture.
 */
export function drawMark(mark: Mark, palette: Palette): Html {
  const [x, y] = [mark.x.toFixed(1), mark.y.toFixed(1)]
  const shape = mark.kind === 'incident' ? dot(mark.severity, palette) : disc(mark, palette)
  return html`<g transform="translate(${x} ${y})">${shape}</g>`
}

/** Severity shows in size and rings as well as in colour. */
export function dot(severity: Severity, palette: Palette, scale = 1): Html {
  const radius = DOT_RADIUS[severity] * scale
  return html`${DOT_RINGS[severity]
    .toReversed()
    .map(
      (more) =>
        html`<circle r="${radius + more * scale}" fill="${palette.panel}" stroke="${palette[severity]}" stroke-width="${1.4 * scale}"/>`,
    )}<circle r="${radius}" fill="${palette[severity]}" stroke="${palette.panel}" stroke-width="1"/>`
}

function disc({ count, bySeverity }: Extract<Mark, { kind: 'cluster' }>, palette: Palette): Html {
  const growth = Math.min(1, Math.log(count / 2) / Math.log(5000))
  const radius = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * growth
  const line = (severity: Severity) => html`fill="none" stroke="${palette[severity]}" stroke-width="4"`
  return html`<circle r="${radius.toFixed(1)}" fill="${palette.panel}"/>${severityRing(bySeverity, radius - 2, line)}<text text-anchor="middle" dy="0.36em" font-size="13" font-weight="700" fill="${palette.ink}">${shortCount(count)}</text>`
}
