import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import { type Html, html } from '../html.ts'

/**
 * Between two colours, so that they can be told apart without seeing the hue; a share of the ring.
 */
const GAP = 0.02

/** The rings around the dot of a single incident: pixels from its edge, by severity. */
export const DOT_RINGS: Readonly<Record<Severity, readonly number[]>> = {
  low: [],
  medium: [],
  high: [3],
  critical: [3, 6],
}

/**
 * The shares of the severities around a disc, the worst first, clockwise from the top.
 * `attributes` are those that give a line its colour.
 */
export function severityRing(
  bySeverity: readonly number[],
  radius: number,
  attributes: (severity: Severity) => Html,
): Html[] {
  const count = bySeverity.reduce((sum, amount) => sum + amount, 0)
  const parts = SEVERITIES.map((severity, index) => ({ severity, share: bySeverity[index]! / count }))
    .toReversed()
    .filter(({ share }) => share > 0)
  const size = rounded(radius)
  if (parts.length === 1) return [html`<circle ${attributes(parts[0]!.severity)} r="${size}"/>`]
  let start = 0
  return parts.map(({ severity, share }) => {
    const from = pointAt(start + GAP / 2, radius)
    const to = pointAt(Math.max(start + share - GAP / 2, start + GAP), radius)
    start += share
    return html`<path ${attributes(severity)} d="M${from}A${size} ${size} 0 ${share > 0.5 ? 1 : 0} 1 ${to}"/>`
  })
}

function pointAt(share: number, radius: number): string {
  const angle = 2 * Math.PI * share
  return `${rounded(radius * Math.sin(angle))} ${rounded(-radius * Math.cos(angle))}`
}

/** One decimal, where it is needed: there are thousands of these numbers. */
function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
