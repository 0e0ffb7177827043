import type { FastifyInstance } from 'fastify'
import { LIVE_BY_LANGUAGE } from '../../api/caching.ts'
import { QueryClient, queryOf } from '../../api/request.ts'
import { addStaleSeconds, sendBytes } from '../../api/response.ts'
import { type Environment, type Phase, requireServices } from '../../api/services.ts'
import { FIRST_IMPORT } from '../../domain/import-report.ts'
import { AREA_PAGES_PATH } from '../../domain/places.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { AddressCorrection } from '../../filter/map-address.ts'
import { ageText } from '../../i18n/texts.ts'
import type { Translate } from '../../i18n/translate.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import { sendStartingPage } from '../page.ts'
import { draftNote, pageLanguage, pathInLanguage } from '../page-language.ts'
import { findOverviewMarks, SvgMap } from '../svg-map.ts'
import { viewPreview } from './document.ts'
import { listingFor, mapFilterFor, newestSteps, plainList } from './newest.ts'
import { type DocumentSteps, MapPages, PageCache } from './send-page.ts'

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

const MAX_BYTES = 4 << 20
const HEADERS = {
  'content-security-policy': "default-src 'none'",
}

/** Serves the map alone, for a page whose filters have changed before MapLibre is loaded. */
function pictureRoute(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  svgMap: SvgMap,
): void {
  const { clock, geography, queries } = environment
  const cache = new PageCache(queries, MAX_BYTES)
  server.get('/map.svg', async (request, reply) => {
    const { archive, freshness } = requireServices(currentPhase(), 'The archive is being loaded.')
    const query = queryOf(request)
    const language = await pageLanguage(request)
    const key = `${language.language} ${query}`
    const page = await cache.getPage(archive, key, clock(), new QueryClient(request, reply), function* (view) {
      const now = clock()
      const address = new URLSearchParams(query)
      const { filter, validUntil } = mapFilterFor(address, geography.places, now)
      const marks = yield* findOverviewMarks(view, filter, now)
      const svg = yield* svgMap.render(marks, address, language)
      return {
        status: 200,
        body: Buffer.from(svg.text),
        stampAt: null,
        validUntil: Math.min(validUntil, marks.validUntil),
      }
    })
    addStaleSeconds(reply, freshness)
    reply.headers(HEADERS).header('content-language', language.language)
    return sendBytes(request, reply, page.body, 'image/svg+xml', LIVE_BY_LANGUAGE)
  })
}

/** Says which parts of a link were read differently, or not at all. */
function correctionNotes(corrections: readonly AddressCorrection[], t: Translate): Html | null {
  if (corrections.length === 0) return null
  return html`${corrections.map((correction) => html`<p class="note warning">${sentenceFor(correction, t)}</p>`)}`
}

function sentenceFor({ given, readAs }: AddressCorrection, t: Translate): string {
  return readAs === null ? t('filters.left_out', { given }) : t('filters.read_as', { given, name: readAs })
}

/** Says what this is and what its operator does next, while nothing has been published. */
export function emptyArchive(t: Translate): Html {
  return html`<h2>${t('page.empty_title')}</h2><p>${t('page.empty_what')}</p>
<h2>${t('page.empty_operator')}</h2><ol><li>${t('page.empty_import')} <code>${FIRST_IMPORT}</code></li>
<li><a href="/desk">${t('page.empty_desk')}</a></li><li><a href="/console">${t('page.empty_console')}</a></li></ol>`
}
