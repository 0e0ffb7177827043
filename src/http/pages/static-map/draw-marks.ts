import { SEVERITIES, type Severity } from '../../../domain/taxonomy.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from './find-marks.ts'
import type { Palette } from './palette.ts'

const MIN_RADIUS = 14
const MAX_RADIUS = 24
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 4, medium: 5, high: 6, critical: 6.5 }
/** Between two colours of a ring, as a share of it. */
const GAP = 0.02

/** A dot for one incident, a disc with its number for several. */
export function drawMark(mark: Mark, palette: Palette): Html {
  const [x, y] = [mark.x.toFixed(1), mark.y.toFixed(1)]
  const shape = mark.count === 1 ? dot(worst(mark.bySeverity), palette) : disc(mark, palette)
  return html`<g transform="translate(${x} ${y})">${shape}</g>`
}

/** Severity shows in size and rings as well as in colour. */
export function dot(severity: Severity, palette: Palette, scale = 1): Html {
  const radius = DOT_RADIUS[severity] * scale
  const rings = severity === 'critical' ? [3, 6] : severity === 'high' ? [3] : []
  return html`${rings
    .toReversed()
    .map(
      (more) =>
        html`<circle r="${radius + more * scale}" fill="${palette.panel}" stroke="${palette[severity]}" stroke-width="${1.4 * scale}"/>`,
    )}<circle r="${radius}" fill="${palette[severity]}" stroke="${palette.panel}" stroke-width="1"/>`
}

function disc({ count, bySeverity }: Mark, palette: Palette): Html {
  const growth = Math.min(1, Math.log(count / 2) / Math.log(5000))
  const radius = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * growth
  return html`<circle r="${radius.toFixed(1)}" fill="${palette.panel}"/>${ring(bySeverity, count, radius - 2, palette)}<text text-anchor="middle" dy="0.36em" font-size="13" font-weight="700" fill="${palette.ink}">${shortCount(count)}</text>`
}

/** The shares of the severities around the disc, the worst first, clockwise from the top. */
function ring(bySeverity: readonly number[], count: number, radius: number, palette: Palette): Html[] {
  const parts = SEVERITIES.map((severity, index) => ({ severity, share: bySeverity[index]! / count }))
    .toReversed()
    .filter(({ share }) => share > 0)
  const line = (severity: Severity) => html`fill="none" stroke="${palette[severity]}" stroke-width="4"`
  if (parts.length === 1) return [html`<circle r="${radius.toFixed(1)}" ${line(parts[0]!.severity)}/>`]
  let start = 0
  return parts.map(({ severity, share }) => {
    const end = Math.max(start + share - GAP / 2, start + GAP)
    const path = `M${pointAt(start + GAP / 2, radius)}A${radius.toFixed(1)} ${radius.toFixed(1)} 0 ${share > 0.5 ? 1 : 0} 1 ${pointAt(end, radius)}`
    start += share
    return html`<path d="${path}" ${line(severity)}/>`
  })
}

function pointAt(share: number, radius: number): string {
  const angle = 2 * Math.PI * share
  return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
}

function worst(bySeverity: readonly number[]): Severity {
  return SEVERITIES[bySeverity.findLastIndex((count) => count > 0)] ?? 'low'
}

function shortCount(count: number): string {
  if (count >= 10_000) return `${Math.round(count / 1000)}k`
  return count >= 1000 ? `${Math.round(count / 100) / 10}k` : String(count)
}
