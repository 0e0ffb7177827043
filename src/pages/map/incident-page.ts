import { offersAlerts } from '../../api/alerts/ask.ts'
import { CACHING } from '../../api/caching.ts'
import { findPublicSlot } from '../../api/incidents/incidents.ts'
import { asksForPage } from '../../api/request.ts'
import type { BrowserPage } from '../../api/router.ts'
import { type Environment, requireServices, type Services } from '../../api/services.ts'
import { areaTag, incidentTag } from '../../domain/cache-tags.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { Problem } from '../../domain/errors.ts'
import type { Incident, Source } from '../../domain/incident.ts'
import { incidentAreaPath } from '../../domain/places.ts'
import { confidenceLevel } from '../../domain/taxonomy.ts'
import { casualtiesText, occurredText, placeText, precisionText } from '../../i18n/texts.ts'
import type { MessageKey } from '../../i18n/translate.ts'
import { dayText } from '../../lib/nigeria-time.ts'
import { type Html, html } from '../html.ts'
import { draftNote, type PageLanguage, pathInLanguage } from '../page-language.ts'
import { incidentPreview, json, type MapDocument } from './document.ts'
import { type AddressListing, listingFor, type NewestList, newestSteps, plainList } from './newest.ts'
import { type DocumentSteps, MapPages } from './send-page.ts'

const GONE = {
  retracted: { title: 'panel.card_retracted', sentence: 'panel.card_retracted_text' },
  not_found: { title: 'panel.card_unknown', sentence: 'panel.card_unknown_text' },
} as const satisfies Record<string, Record<'title' | 'sentence', MessageKey>>

/** The same address answers API clients with JSON. */
const VARY = 'Accept, Accept-Encoding, Accept-Language, Authorization'

/** Serves `/incidents/{id}` to browsers: the page that people share. */
export function incidentPage(environment: Environment): BrowserPage {
  const pages = new MapPages(environment)
  const hasAlerts = offersAlerts(environment.config)
  return {
    isRequested: asksForPage,
    send(request, reply, phase) {
      const { id } = request.params as { id: string }
      const services = requireServices(phase, 'The archive is being loaded.')
      const into = services.archive.mergedInto(id)
      if (into !== null) {
        reply.header('cache-control', CACHING.checked.shared).redirect(`/incidents/${into}`, 301)
        return
      }
      const steps: DocumentSteps = function* (view, address, language) {
        const now = environment.clock()
        const { listing, initialData, validUntil } = listingFor(address, environment.geography.places, now)
        const newest = yield* newestSteps(view, listing, now)
        const document = documentFor(id, { ...newest, initialData, now, hasAlerts, language }, services)
        return { document, validUntil: Math.min(validUntil, newest.validUntil) }
      }
      const path = `/incidents/${encodeURIComponent(id)}`
      pages
        .send(request, reply, services, path, steps, {
          kind: 'live',
          vary: VARY,
          tags: [incidentTag(id), areaTag('NG')],
        })
        .catch((error: Error) => reply.send(error))
    },
  }
}

interface PageContent extends NewestList, Pick<AddressListing, 'initialData'> {
  readonly now: number
  readonly hasAlerts: boolean
  readonly language: PageLanguage
}

function documentFor(id: string, content: PageContent, { archive }: Services): MapDocument {
  const { initialData, incidents, now, language } = content
  const t = language.translate
  const rest = { path: `/incidents/${encodeURIComponent(id)}`, withMap: false, list: content.json }
  const preview = incidentPreview(id, language)
  try {
    const text = Buffer.from(archive.documentOf(findPublicSlot(archive, id))).toString()
    const incident = JSON.parse(text) as Incident
    const [type, place, day] = [t(`common.type_${incident.type}`), placeText(incident), dayText(incident.occurred_at)]
    return {
      ...rest,
      preview,
      status: 200,
      title: t('page.incident_title', { type, place, day }),
      description: incident.summary,
      body: html`${draftNote(language)}${article(incident, content.hasAlerts, language)}`,
      initialData: { ...initialData, selected: text },
    }
  } catch (error) {
    if (!(error instanceof Problem) || (error.code !== 'retracted' && error.code !== 'not_found')) throw error
    const [title, sentence] = [t(GONE[error.code].title), t(GONE[error.code].sentence)]
    return {
      ...rest,
      // Without an incident, the image is that of the map.
      preview: { ...preview, image: pathInLanguage('/preview.png', language) },
      status: ERRORS[error.code].status,
      title,
      description: sentence,
      body: html`${draftNote(language)}<h1>${title}</h1><p>${sentence}</p>${plainList(incidents, now, language)}`,
      initialData: { ...initialData, gone: json(error.code) },
    }
  }
}

function article(incident: Incident, hasAlerts: boolean, language: PageLanguage): Html {
  const t = language.translate
  const lang = language.inAddress ? `&lang=${language.language}` : ''
  const follow = hasAlerts
    ? html`<p><a href="/alerts?incident=${incident.id}${lang}">${t('panel.follow')}</a></p>`
    : null
  const { location, severity, occurred_at } = incident
  const place = location.place ? `${location.place}, ${placeText(incident)}` : placeText(incident)
  const kind = [
    t(`common.type_${incident.type}`),
    t('common.severity_label', { severity: t(`common.severity_${severity}`) }),
    t(`common.confidence_${confidenceLevel(incident.confidence)}`),
  ]
  const sources =
    incident.sources.length === 0
      ? html`<p>${t('panel.no_public_source')}</p>`
      : html`<ul>${incident.sources.map(sourceLine)}</ul>`
  return html`<article><h1>${incident.summary}</h1>
<p class="quiet"><span class="mark ${severity}"></span> ${kind.join(' · ')}</p>
<dl><dt>${t('panel.when')}</dt><dd><time datetime="${occurred_at}">${occurredText(incident, t)}</time></dd>
<dt>${t('panel.where')}</dt><dd>${place} (${precisionText(location, t)})</dd>
<dt>${t('panel.casualties')}</dt><dd>${casualtiesText(incident.casualties, t) || t('panel.casualties_unknown')}</dd></dl>
<h2>${t('panel.sources')}</h2>${sources}${follow}<p><a href="${pathInLanguage(incidentAreaPath(incident), language)}">${t('areas.more_about', { place: placeText(incident) })}</a></p><p><a href="${pathInLanguage('/', language)}">${t('panel.all_incidents')}</a></p></article>`
}

function sourceLine({ url, publisher }: Source): Html {
  if (url === null || !/^https?:\/\//i.test(url)) return html`<li>${publisher}</li>`
  return html`<li><a href="${url}" rel="noopener nofollow">${publisher}</a></li>`
}
