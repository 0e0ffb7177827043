import type { FastifyInstance } from 'fastify'
import type { Environment, Phase } from '../../api/services.ts'
import { AREA_PAGES_PATH } from '../../domain/places.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import { ageText } from '../../i18n/age-text.ts'
import type { Translate } from '../../i18n/translate.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import { draftNote } from '../language-links.ts'
import { pageLanguage, pathInLanguage } from '../page-language.ts'
import { sendStartingPage } from '../starting-page.ts'
import { findOverviewMarks } from '../svg-map/overview-marks.ts'
import { SvgMap } from '../svg-map/svg-map.ts'
import { correctionNotes } from './correction-notes.ts'
import { emptyArchive } from './empty-archive.ts'
import { viewPreview } from './link-preview.ts'
import { listingFor, mapFilterFor, newestSteps } from './newest.ts'
import { pictureRoute } from './picture.ts'
import { plainList } from './plain-list.ts'
import { type DocumentSteps, MapPages } from './send-page.ts'

/** Serves the map. Until its scripts have loaded, the page shows an SVG map and a list. */
export function mapPage(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  const pages = new MapPages(environment)
  const svgMap = new SvgMap(environment.geography)
  const steps: DocumentSteps = function* (view, address, language) {
    const t = language.translate
    const now = environment.clock()
    const { listing, corrections, initialData, validUntil } = listingFor(address, environment.geography.places, now)
    const newest = yield* newestSteps(view, listing, now)
    const marks = yield* findOverviewMarks(view, mapFilterFor(address, environment.geography.places, now).filter, now)
    const [first] = newest.incidents
    const count = yield* view.count({ filter: listing.filter, now, area: null })
    const map = yield* svgMap.render(marks, address, language)
    const body = html`<div class="plain-head">${draftNote(language)}<h1>${t('page.heading')}</h1>
<p class="quiet">${t('page.total', { count: numberText(count) })}${first ? ` ${t('page.newest', { ago: ageText(first.published_at!, now, t) })}` : ''} ${t('page.only_confirmed')}</p></div>
<div class="plain-map">${map}${legend(t)}</div>
<div class="plain-list" id="list" tabindex="-1">${correctionNotes(corrections, t)}${view.head.seq === 0 ? emptyArchive(t) : plainList(newest.incidents, now, language)}<p><a href="${pathInLanguage(AREA_PAGES_PATH, language)}">${t('areas.all_areas')}</a></p></div>`
    return {
      document: {
        status: 200,
        title: t('page.title'),
        description: t('page.description'),
        path: '/',
        preview: viewPreview(address),
        body,
        withMap: true,
        list: newest.json,
        initialData,
      },
      validUntil: Math.min(validUntil, newest.validUntil, marks.validUntil),
    }
  }
  pictureRoute(server, environment, currentPhase, svgMap)
  server.get('/', async (request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') return sendStartingPage(reply, await pageLanguage(request))
    return pages.send(request, reply, current.services, '/', steps)
  })
}

function legend(t: Translate): Html {
  const entries = SEVERITIES.toReversed().map(
    (severity) => html`<li><span class="mark ${severity}"></span>${t(`common.severity_${severity}`)}</li>`,
  )
  return html`<ul class="plain-legend" aria-label="${t('page.legend')}">${entries}</ul>`
}
