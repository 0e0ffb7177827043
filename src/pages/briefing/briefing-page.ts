import type { FastifyInstance } from 'fastify'
import { QueryClient } from '../../api/requests/client.ts'
import { queryOf } from '../../api/requests/parameters.ts'
import { type Environment, type Phase, requireServices } from '../../api/services.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Incident } from '../../domain/incident.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import type { Steps } from '../../lib/steps.ts'
import { html } from '../html.ts'
import { type Page, sendPage } from '../page.ts'
import { pageLanguage } from '../page-language.ts'
import { PAGE_PALETTE } from '../static-map/palette.ts'
import { findPictureMarks } from '../static-map/picture-marks.ts'
import { fitBox } from '../static-map/projection.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import { findFigures } from '../view/figures.ts'
import { readShownView } from '../view/shown-view.ts'
import { type Briefing, briefingBody } from './briefing.ts'

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
