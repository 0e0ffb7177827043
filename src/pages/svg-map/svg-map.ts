import type { Places } from '../../domain/places.ts'
import { OVERVIEW_HEIGHT, OVERVIEW_MARK_ZOOMS, OVERVIEW_WIDTH } from '../../filter/overview-map.ts'
import type { Steps } from '../../lib/steps.ts'
import { Html, html } from '../html.ts'
import type { PageLanguage } from '../page-language.ts'
import { markSvg } from './mark-svg.ts'
import { findOutlines, type Outlines } from './outlines.ts'
import type { OverviewMarks } from './overview-marks.ts'

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
