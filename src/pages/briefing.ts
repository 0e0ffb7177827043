import type { FastifyInstance } from 'fastify'
import { casualtiesText, daysText, filterTexts, placesText } from '../api/alerts/subscription-text.ts'
import { QueryClient, queryOf } from '../api/request.ts'
import { type Environment, type Phase, requireServices } from '../api/services.ts'
import type { ArchiveView } from '../archive/archive.ts'
import type { Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { confidenceLevel, SEVERITIES } from '../domain/taxonomy.ts'
import type { Filter } from '../filter/filter.ts'
import type { LoadedLanguage, Translate } from '../i18n/translate.ts'
import { dayText, momentText } from '../lib/nigeria-time.ts'
import type { Steps } from '../lib/steps.ts'
import { numberText } from '../lib/text.ts'
import { type Html, html } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { pageLanguage } from './page-language.ts'
import { fitBox } from './projection.ts'
import { type Figures, findFigures, readShownView } from './shown-view.ts'
import { findPictureMarks, PAGE_PALETTE, type StaticMap } from './static-map.ts'

/** Three pages of paper; the rest is counted. */
const MAX_INCIDENTS = 40
const [MAP_WIDTH, MAP_HEIGHT] = [720, 520]

/** Serves `/briefing`, the view of the map on paper. */
export function briefingPage(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  map: StaticMap,
): void {
  const { queries, geography, publicUrl } = environment
  server.get('/briefing', async (request, reply) => {
    const { archive } = requireServices(currentPhase())
    const words = await pageLanguage(request)
    const query = new URLSearchParams(queryOf(request))
    query.delete('lang')
    const text = query.size === 0 ? '' : `?${query}`
    const briefing = await queries.run(archive, new QueryClient(request, reply), (view) =>
      findBriefing(view, query, environment, map, `${publicUrl()}/${text}`),
    )
    const body = briefingBody(briefing, geography.places, words.translate)
    return sendPage(reply, pageOf(body, words, `${publicUrl()}/briefing${text}`))
  })
}

function pageOf(body: Page['body'], words: LoadedLanguage, address: string): Page {
  const { translate } = words
  return {
    title: `${translate('share.briefing')} · ${translate('common.name')}`,
    description: translate('page.description'),
    body,
    words,
    address,
  }
}

/** One question, so that figures, map and list are of the same moment. */
function* findBriefing(
  view: ArchiveView,
  query: URLSearchParams,
  { clock, geography, config }: Environment,
  map: StaticMap,
  address: string,
): Steps<Briefing> {
  const now = clock()
  const { filter, listing, box } = readShownView(query, geography.places, now)
  const projection = fitBox(box ?? map.boxOfStates(filter.states ?? []), MAP_WIDTH, MAP_HEIGHT)
  const figures = yield* findFigures(view, filter, now)
  const marks = yield* findPictureMarks(view, filter, now, projection)
  const { slots } = yield* view.findPage({ ...listing, limit: MAX_INCIDENTS, after: null, now })
  const incidents = slots.map((slot) => JSON.parse(Buffer.from(view.documentOf(slot)).toString()) as Incident)
  const picture = map.draw(projection, { marks, outlined: filter.states ?? [], palette: PAGE_PALETTE })
  const svg = html`<svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-hidden="true" font-family="system-ui, sans-serif">${picture}</svg>`
  return { filter, figures, map: svg, incidents, address, now, isDemo: config.DEMO }
}

interface Briefing {
  readonly filter: Filter
  readonly figures: Figures
  readonly map: Html
  readonly incidents: readonly Incident[]
  /** The address of the map with the same view. */
  readonly address: string
  readonly now: number
  readonly isDemo: boolean
}

/** Writes the page: what a reader of the paper needs to know comes first. */
function briefingBody(briefing: Briefing, places: Places, t: Translate): Html {
  const { filter, figures, map, incidents, address, now, isDemo } = briefing
  const { count } = figures.total
  const casualties = casualtiesText(figures.total, t)
  const rest = count - incidents.length
  return html`<article class="briefing"><h1>${t('share.briefing_title', { place: placesText(filter, places, t) })}</h1>
<p>${daysText(filter, now, t)}${filterTexts(filter, t).map((text) => html`<br>${text}`)}</p>
${isDemo ? html`<p><strong>${t('about.demo')}</strong></p>` : null}
<p class="figure">${t('common.incidents', { count: numberText(count) })}</p>
${casualties ? html`<p>${casualties}. <span class="quiet">${t('share.casualties_least')}</span></p>` : null}
<ul class="plain-list severities">${SEVERITIES.toReversed().map((severity) => html`<li class="with-mark"><span class="mark ${severity}"></span>${t(`common.severity_${severity}`)} ${numberText(figures.bySeverity[severity])}</li>`)}</ul>
<div class="briefing-map">${map}</div>
<h2>${t('share.briefing_list')}</h2>
${incidents.length === 0 ? html`<p>${t('share.briefing_empty')}</p>` : html`<ol class="briefing-list">${incidents.map((incident) => line(incident, t))}</ol>`}
${rest > 0 ? html`<p class="quiet">${t('share.briefing_rest', { count: numberText(rest) })}</p>` : null}
<p class="quiet">${t('share.briefing_made', { time: momentText(now) })} <a href="${address}">${address}</a></p>
<p class="quiet">${t('about.complete_missing')} ${t('about.complete_late')}</p></article>`
}

function line(incident: Incident, t: Translate): Html {
  const { location, lga, state, casualties } = incident
  const place = [location.place, lga, state].filter((name) => name !== null)
  const tolls = (['killed', 'injured', 'abducted'] as const)
    .filter((name) => casualties[name] !== null)
    .map((name) => t(`common.${name}`, { count: casualties[name]! }))
  const facts = [
    t(`common.type_${incident.type}`),
    ...tolls,
    t(`panel.precision_${location.precision}`),
    t(`common.confidence_${confidenceLevel(incident.confidence)}`),
  ]
  return html`<li class="with-mark"><span class="mark ${incident.severity}"></span><span><strong>${dayText(incident.occurred_at)} · ${[...new Set(place)].join(', ')}</strong><br>${incident.summary}<br><span class="quiet">${facts.join(' · ')}</span></span></li>`
}
