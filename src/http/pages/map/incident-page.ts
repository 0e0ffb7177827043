import { confidenceLevel } from '../../../domain/confidence/levels.ts'
import { ERRORS } from '../../../domain/error-codes.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Incident, Source } from '../../../domain/incident.ts'
import { SEVERITY_DESCRIPTIONS, TYPES } from '../../../domain/taxonomy.ts'
import { english } from '../../../i18n/translate.ts'
import { asksForPage } from '../../requests/accept.ts'
import { findPublicSlot } from '../../responses/find-incident.ts'
import type { BrowserPage } from '../../router.ts'
import { type Environment, requireServices, type Services } from '../../services.ts'
import { type Html, html } from '../html.ts'
import { json, type MapDocument } from './document.ts'
import { incidentPreview } from './link-preview.ts'
import { type AddressListing, listingFor, type NewestList, newestSteps } from './newest.ts'
import { plainList, whereOf } from './plain-list.ts'
import { type DocumentSteps, MapPages } from './send-page.ts'

const GONE = {
  retracted: {
    title: 'This incident was retracted',
    sentence:
      'It was published and then withdrawn: it did not happen as reported, or it was a duplicate. Please do not share it.',
  },
  not_found: {
    title: 'There is no such incident',
    sentence: 'The link may be incomplete. The newest incidents are below.',
  },
} as const

/** Serves `/incidents/{id}` to browsers: the page that people share. */
export function incidentPage(environment: Environment): BrowserPage {
  const pages = new MapPages(environment)
  return {
    isRequested: asksForPage,
    send(request, reply, phase) {
      const { id } = request.params as { id: string }
      const services = requireServices(phase, 'The archive is being loaded.')
      const steps: DocumentSteps = function* (view, address) {
        const now = environment.clock()
        const { listing, initialData, validUntil } = listingFor(address, environment.geography.places, now)
        const newest = yield* newestSteps(view, listing, now)
        const document = documentFor(id, { ...newest, initialData }, now, services)
        return { document, validUntil: Math.min(validUntil, newest.validUntil) }
      }
      const path = `/incidents/${encodeURIComponent(id)}`
      pages
        // The same address answers API clients with JSON.
        .send(request, reply, services, path, steps, 'Accept, Accept-Encoding, Authorization')
        .catch((error: Error) => reply.send(error))
    },
  }
}

function documentFor(
  id: string,
  newest: NewestList & Pick<AddressListing, 'initialData'>,
  now: number,
  { archive }: Services,
): MapDocument {
  const rest = { path: `/incidents/${encodeURIComponent(id)}`, withMap: false, list: newest.json }
  const preview = incidentPreview(id)
  const { initialData } = newest
  try {
    const text = Buffer.from(archive.documentOf(findPublicSlot(archive, id))).toString()
    const incident = JSON.parse(text) as Incident
    const { label } = TYPES[incident.type]
    return {
      ...rest,
      preview,
      status: 200,
      title: `${label} in ${whereOf(incident)}, ${incident.occurred_at.slice(0, 10)}`,
      description: incident.summary,
      body: article(incident),
      initialData: { ...initialData, selected: text },
    }
  } catch (error) {
    if (!(error instanceof Problem) || (error.code !== 'retracted' && error.code !== 'not_found')) throw error
    const { title, sentence } = GONE[error.code]
    return {
      ...rest,
      // Without an incident, the image is that of the map.
      preview: { ...preview, image: '/preview.png' },
      status: ERRORS[error.code].status,
      title,
      description: sentence,
      body: html`<h1>${title}</h1><p>${sentence}</p>${plainList(newest.incidents, now)}`,
      initialData: { ...initialData, gone: json(error.code) },
    }
  }
}

function article(incident: Incident): Html {
  const { casualties, location } = incident
  const tolls = Object.entries(casualties).filter(([, count]) => count !== null)
  return html`<article><h1>${incident.summary}</h1>
<p class="quiet"><span class="mark ${incident.severity}"></span> ${TYPES[incident.type].label} · ${SEVERITY_DESCRIPTIONS[incident.severity].label} · ${english(`common.confidence_${confidenceLevel(incident.confidence)}`)}</p>
<p>${location.place ? `${location.place}, ` : ''}${whereOf(incident)}${location.radius_km === null ? '' : `, known to within ${location.radius_km} km`}. <time datetime="${incident.occurred_at}">${incident.occurred_at.slice(0, 16).replace('T', ' ')} UTC</time>, known to the ${incident.time_precision === 'exact' ? 'minute' : incident.time_precision}.</p>
${tolls.length > 0 ? html`<p>${tolls.map(([name, count]) => `${name} ${count}`).join(', ')}</p>` : null}
<h2>Sources</h2><ul>${incident.sources.map(sourceLine)}</ul><p><a href="/">All incidents</a></p></article>`
}

function sourceLine({ url, publisher }: Source): Html {
  if (url === null || !/^https?:\/\//i.test(url)) return html`<li>${publisher}</li>`
  return html`<li><a href="${url}" rel="noopener nofollow">${publisher}</a></li>`
}
