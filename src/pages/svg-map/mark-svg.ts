import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import { overviewPoint, UNITS_PER_PIXEL } from '../../filter/overview-map.ts'
import type { Translate } from '../../i18n/translate.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from '../marks/find-marks.ts'
import { DOT_RINGS, severityRing } from '../marks/severity-ring.ts'
import { shortCount } from '../marks/short-count.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'

/** In CSS pixels, as the page's scripts draw the tiles; discs by the number of digits. */
const DISC_RADII = [13, 15, 17.5, 20] as const
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 3, medium: 3.8, high: 4.6, critical: 5 }

export interface MarkContext {
  readonly language: PageLanguage
  readonly stateNames: ReadonlyMap<string, string>
  /** The page's query without the parameters that a link to a cluster replaces. */
  readonly query: URLSearchParams
}

/** A link with a title: a cluster opens its list, an incident its page. */
export function markSvg(mark: Mark, context: MarkContext): Html {
  const { x, y } = overviewPoint(mark.x, mark.y)
  const href =
    mark.kind === 'cluster'
      ? clusterAddress(mark, context.query)
      : pathInLanguage(`/incidents/${mark.id}`, context.language)
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

function clusterTitle({ count, bySeverity }: ClusterMark, { language: { translate } }: MarkContext): string {
  const parts = SEVERITIES.flatMap((severity, index) => {
    const amount = bySeverity[index]!
    return amount === 0 ? [] : [`${numberText(amount)} ${severityText(severity, translate)}`]
  })
  return translate('page.mark_cluster', {
    count: numberText(count),
    severities: parts.toReversed().join(', '),
  })
}

function incidentTitle(
  { type, severity, state }: IncidentMark,
  { language: { translate }, stateNames }: MarkContext,
): string {
  return translate('page.mark_incident', {
    type: translate(`common.type_${type}`),
    state: stateNames.get(state) ?? state,
    severity: severityText(severity, translate),
  })
}

function severityText(severity: Severity, translate: Translate): string {
  return translate(`common.severity_${severity}`).toLowerCase()
}

function disc({ count, bySeverity }: ClusterMark): Html {
  const radius = DISC_RADII[Math.min(String(count).length, DISC_RADII.length) - 1]! * UNITS_PER_PIXEL
  return html`<g><circle r="${radius}"/>${severityRing(bySeverity, radius - 2.5 * UNITS_PER_PIXEL, ringClass)}<text>${shortCount(count)}</text></g>`
}

function ringClass(severity: Severity): Html {
  return html`class="ring ${severity}"`
}

/** Severity shows in size and rings as well as in colour. */
function dot(severity: Severity): Html {
  const radius = DOT_RADIUS[severity] * UNITS_PER_PIXEL
  return html`<g class="dot"><circle r="${12 * UNITS_PER_PIXEL}"/>${DOT_RINGS[severity].map((more) => html`<circle ${ringClass(severity)} r="${radius + more * UNITS_PER_PIXEL}"/>`)}<circle class="${severity}" r="${radius}"/></g>`
}
