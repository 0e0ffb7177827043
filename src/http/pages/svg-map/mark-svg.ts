import { SEVERITIES, SEVERITY_DESCRIPTIONS, type Severity, TYPES } from '../../../domain/taxonomy.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { numberText } from '../../../lib/text/number-text.ts'
import { overviewPoint, UNITS_PER_PIXEL } from '../../../query/overview-map.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from './marks.ts'

/** In CSS pixels, as the page's scripts draw the tiles; discs by the number of digits. */
const DISC_RADII = [13, 15, 17.5, 20] as const
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 3, medium: 3.8, high: 4.6, critical: 5 }

export interface MarkContext {
  readonly translate: Translate
  readonly stateNames: ReadonlyMap<string, string>
  /** The page's query without the parameters that a link to a cluster replaces. */
  readonly query: URLSearchParams
}

/** A link with a title: a cluster opens its list, an incident its page. */
export function markSvg(mark: Mark, context: MarkContext): Html {
  const { x, y } = overviewPoint(mark.x, mark.y)
  const href = mark.kind === 'cluster' ? clusterAddress(mark, context.query) : `/incidents/${mark.id}`
  const shape = mark.kind === 'cluster' ? disc(mark) : dot(mark.severity)
  const title = mark.kind === 'cluster' ? clusterTitle(mark, context) : incidentTitle(mark, context)
  return html`<a href="${href}" transform="translate(${x} ${y})"><title>${title}</title>${shape}</a>`
}

type ClusterMark = Extract<Mark, { kind: 'cluster' }>
type IncidentMark = Extract<Mark, { kind: 'incident' }>

function clusterAddress({ extent }: ClusterMark, query: URLSearchParams): string {
  const address = new URLSearchParams(query)
  // Rounded outwards: the list of the box must hold the whole cluster.
  const down = (degrees: number) => Math.floor(degrees * 1e6) / 1e6
  const up = (degrees: number) => Math.ceil(degrees * 1e6) / 1e6
  address.set('box', [down(extent.west), down(extent.south), up(extent.east), up(extent.north)].join(','))
  return `/?${address.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`
}

function clusterTitle({ count, bySeverity }: ClusterMark, { translate }: MarkContext): string {
  const parts = SEVERITIES.flatMap((severity, index) => {
    const amount = bySeverity[index]!
    return amount === 0 ? [] : [`${numberText(amount)} ${SEVERITY_DESCRIPTIONS[severity].label.toLowerCase()}`]
  })
  return translate('page.mark_cluster', {
    count: numberText(count),
    severities: parts.toReversed().join(', '),
  })
}

function incidentTitle({ type, severity, state }: IncidentMark, { translate, stateNames }: MarkContext): string {
  return translate('page.mark_incident', {
    type: TYPES[type as keyof typeof TYPES].label,
    state: stateNames.get(state) ?? state,
    severity: SEVERITY_DESCRIPTIONS[severity].label.toLowerCase(),
  })
}

function disc({ count, bySeverity }: ClusterMark): Html {
  const radius = DISC_RADII[Math.min(String(count).length, DISC_RADII.length) - 1]! * UNITS_PER_PIXEL
  return html`<g><circle r="${radius}"/>${ring(bySeverity, count, radius - 2.5 * UNITS_PER_PIXEL)}<text>${shortCount(count)}</text></g>`
}

/** The shares of the severities around the disc, the worst first, clockwise from the top. */
function ring(bySeverity: readonly number[], count: number, radius: number): Html[] {
  const parts = SEVERITIES.map((severity, index) => ({ severity, share: bySeverity[index]! / count }))
    .toReversed()
    .filter(({ share }) => share > 0)
  if (parts.length === 1) return [html`<circle class="ring ${parts[0]!.severity}" r="${radius}"/>`]
  let start = 0
  return parts.map(({ severity, share }) => {
    const [from, to] = [
      pointAt(start + GAP / 2, radius),
      pointAt(Math.max(start + share - GAP / 2, start + GAP), radius),
    ]
    start += share
    return html`<path class="ring ${severity}" d="M${from}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${to}"/>`
  })
}

/** Between two colours, so that they can be told apart without seeing the hue; a share of the ring. */
const GAP = 0.02

function pointAt(share: number, radius: number): string {
  const angle = 2 * Math.PI * share
  return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
}

/** Severity shows in size and rings as well as in colour. */
function dot(severity: Severity): Html {
  const radius = DOT_RADIUS[severity] * UNITS_PER_PIXEL
  const rings = severity === 'critical' ? [3, 6] : severity === 'high' ? [3] : []
  return html`<g class="dot"><circle r="${12 * UNITS_PER_PIXEL}"/>${rings.map((more) => html`<circle class="ring ${severity}" r="${radius + more * UNITS_PER_PIXEL}"/>`)}<circle class="${severity}" r="${radius}"/></g>`
}

/** As on the tiles: 1.2k, 12k. */
function shortCount(count: number): string {
  if (count >= 10_000) return `${Math.round(count / 1000)}k`
  return count >= 1000 ? `${Math.round(count / 100) / 10}k` : String(count)
}
