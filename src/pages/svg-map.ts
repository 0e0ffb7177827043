import type { ArchiveView } from '../archive/archive.ts'
import type { Places } from '../domain/places.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import type { Filter } from '../filter/filter.ts'
import {
  OVERVIEW_BOX,
  OVERVIEW_HEIGHT,
  OVERVIEW_MARK_ZOOMS,
  OVERVIEW_WIDTH,
  overviewPoint,
  UNITS_PER_PIXEL,
} from '../filter/overview-map.ts'
import type { Translate } from '../i18n/translate.ts'
import type { Steps } from '../lib/steps.ts'
import { numberText } from '../lib/text.ts'
import { Html, html } from './html.ts'
import { DOT_RINGS, findMarks, type Mark, severityRing, shortCount } from './marks.ts'
import { findOutlines, type Outlines } from './outlines.ts'
import { type PageLanguage, pathInLanguage } from './page-language.ts'

const MARKS_PER_STEP = 20

/** Draws all of Nigeria with its incidents as SVG, for pages without the map library. */
export class SvgMap {
  readonly #stateNames: ReadonlyMap<string, string>
  readonly #statesGeoJson: Buffer
  #outlines: Outlines | null = null

  constructor({ places, statesGeoJson }: { readonly places: Places; readonly statesGeoJson: Buffer }) {
    this.#stateNames = new Map(places.states.map(({ code, name }) => [code, name]))
    this.#statesGeoJson = statesGeoJson
  }

  /** The whole map. `query` is the page's: a link to a cluster keeps its filters. */
  *render(marks: OverviewMarks, query: URLSearchParams, language: PageLanguage): Steps<Html> {
    this.#outlines ??= yield* findOutlines(this.#statesGeoJson)
    const { land, borders } = this.#outlines
    const groups = yield* this.#renderMarks(marks, query, language)
    return html`<svg xmlns="http://www.w3.org/2000/svg" class="svg-map" viewBox="0 0 ${OVERVIEW_WIDTH} ${OVERVIEW_HEIGHT}" role="group" aria-label="${language.translate('page.svg_map')}"><path class="land" d="${land}"/><path class="borders" d="${borders}"/>${groups}</svg>`
  }

  /** One group for each zoom. */
  *#renderMarks({ levels }: OverviewMarks, query: URLSearchParams, language: PageLanguage): Steps<Html> {
    const kept = new URLSearchParams(query)
    for (const name of ['box', 'at', 'incident', 'embed']) kept.delete(name)
    const context = { language, stateNames: this.#stateNames, query: kept }
    let groups = ''
    for (const [level, zoom] of OVERVIEW_MARK_ZOOMS.entries()) {
      groups += `<g class="zoom-${zoom}">`
      for (const [index, mark] of levels[level]!.entries()) {
        groups += markSvg(mark, context).text
        if (index % MARKS_PER_STEP === 0) yield
      }
      groups += '</g>'
    }
    return new Html(groups)
  }
}

/** In CSS pixels, as the page's scripts draw the tiles; discs by the number of digits. */
const DISC_RADII = [13, 15, 17.5, 20] as const
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 3, medium: 3.8, high: 4.6, critical: 5 }

interface MarkContext {
  readonly language: PageLanguage
  readonly stateNames: ReadonlyMap<string, string>
  /** The page's query without the parameters that a link to a cluster replaces. */
  readonly query: URLSearchParams
}

/** A link with a title: a cluster opens its list, an incident its page. */
function markSvg(mark: Mark, context: MarkContext): Html {
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

interface OverviewMarks {
  /** For each zoom, in the order of OVERVIEW_MARK_ZOOMS. */
  readonly levels: readonly (readonly Mark[])[]
  /** Without new events the marks are the same until then: incidents leave a `since` window. */
  readonly validUntil: number
}

/** Finds the marks of all of Nigeria: the same clusters as in the tiles of these zooms. */
export function* findOverviewMarks(view: ArchiveView, filter: Filter, now: number): Steps<OverviewMarks> {
  const levels: Mark[][] = []
  let validUntil = Number.POSITIVE_INFINITY
  for (const zoom of OVERVIEW_MARK_ZOOMS) {
    const found = yield* findMarks(view, filter, now, OVERVIEW_BOX, zoom)
    levels.push(found.marks)
    validUntil = Math.min(validUntil, found.validUntil)
  }
  return { levels, validUntil }
}

/**
 * Both themes by the variables of the page. `--mark-scale` keeps marks at their size in pixels
 * when scripts place the map at another zoom.
 */
export const SVG_MAP_STYLE = `
.svg-map{display:block;width:100%;height:auto;background:var(--outside)}
.svg-map .land{fill:var(--land);stroke:var(--border);stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.svg-map .borders{fill:none;stroke:var(--border);stroke-width:1;vector-effect:non-scaling-stroke}
.svg-map a{cursor:pointer;outline-offset:2px}
.svg-map a>g{transform:scale(var(--mark-scale,1))}
.svg-map a circle{fill:var(--panel);stroke:none}
.svg-map a:hover>g>circle:first-child,.svg-map a:focus-visible>g>circle:first-child{stroke:var(--accent);stroke-width:3}
.svg-map .dot>circle:first-child{fill:transparent}
.svg-map a .ring{fill:none;stroke-width:6}
.svg-map .dot .ring{stroke-width:2.4}
.svg-map text{fill:var(--ink);font:600 23px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}
.svg-map circle.low{fill:var(--low)}.svg-map circle.medium{fill:var(--medium)}.svg-map circle.high{fill:var(--high)}.svg-map circle.critical{fill:var(--critical)}
.svg-map .ring.low{fill:none;stroke:var(--low)}.svg-map .ring.medium{fill:none;stroke:var(--medium)}.svg-map .ring.high{fill:none;stroke:var(--high)}.svg-map .ring.critical{fill:none;stroke:var(--critical)}
.svg-map .zoom-4{display:none}
@media(max-width:599px){.svg-map:not([data-zoom]) .zoom-5{display:none}.svg-map:not([data-zoom]) .zoom-4{display:inline;--mark-scale:1.5}}
.svg-map[data-zoom="4"] .zoom-5{display:none}.svg-map[data-zoom="4"] .zoom-4{display:inline}
`
