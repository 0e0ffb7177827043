import { type AlertSentences, aboveText } from '../../api/alerts/alert-text.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import { browserWay, ownAlerts, scriptData } from './browser-way.ts'

export interface AlertForm {
  readonly area: string
  readonly sentences: AlertSentences
  /** The one to follow; null for an area. */
  readonly incident: Incident | null
  readonly severity: Severity
  /** Of the last 30 days. */
  readonly matches: number
  /** Null if the service sends no mail. */
  readonly email: string | null
  /** What is wrong with the last answer; null if nothing is. */
  readonly fault: string | null
  /** The query of the page, which has the area. */
  readonly query: URLSearchParams
  /** As the API takes it. */
  readonly filter: object
}

/**
 * One area and severity, or one incident, and the ways to be told: by e-mail, and in the browser
 * that shows the page.
 */
export function alertForm(form: AlertForm, words: PageLanguage): Html {
  const t = words.translate
  const { area, sentences, incident, email, fault, query, filter } = form
  const hidden = [...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const language = words.inAddress ? html`<input type="hidden" name="lang" value="${words.language}">` : null
  const address = new URLSearchParams([
    ...query,
    ...(incident === null ? [['min_severity', form.severity] as [string, string]] : []),
    ...(words.inAddress ? [['lang', words.language] as [string, string]] : []),
  ])
  const mail = email === null ? faultNote(fault) : mailWay(`/alerts?${address}`, email, form, words)
  return html`<div class="report alerts"${scriptData(words)}><h1>${t(sentences.heading)}</h1><p>${t(sentences.intro)}</p>
${incident === null ? areaChoice(form, hidden, language, words) : followedIncident(area, incident, words)}
<div class="ways">${mail}${browserWay(filter, email === null, words)}</div>${incident === null ? null : forDevelopers(incident, words)}${ownAlerts(words)}</div>`
}

/** The console has the other channels. */
function forDevelopers({ id }: Incident, { translate: t }: PageLanguage): Html {
  return html`<p class="quiet"><a href="/console?view=watches&watch=new&incident=${id}">${t('page.for_developers')}</a></p>`
}

/** The area, the severity from which it counts, and what the last 30 days would have brought. */
function areaChoice(
  { area, severity, matches }: AlertForm,
  hidden: Html[],
  language: Html | null,
  words: PageLanguage,
) {
  const t = words.translate
  const options = SEVERITIES.map(
    (each) =>
      html`<option value="${each}"${each === severity ? html` selected` : null}>${each === 'low' ? t('alerts.any') : aboveText(each, t)}</option>`,
  )
  return html`<p class="alert-area"><strong>${area}</strong> <a href="/alerts${words.inAddress ? `?lang=${words.language}` : ''}">${t('alerts.other')}</a></p>
<form method="get" action="/alerts" class="alert-severity">${hidden}${language}<p class="field"><label for="min_severity">${t('alerts.from')}</label><select id="min_severity" name="min_severity">${options}</select></p><button class="plain">${t('alerts.recount')}</button></form>
<p class="alert-preview" role="status">${matches === 0 ? t('alerts.preview_none') : t('alerts.preview', { count: numberText(matches) })}</p>`
}

/** What is followed, so that the reader sees it before giving an address. */
function followedIncident(label: string, { id, summary }: Incident, words: PageLanguage): Html {
  return html`<p class="alert-area"><strong>${label}</strong></p>
<blockquote class="alert-incident"><a href="${pathInLanguage(`/incidents/${id}`, words)}">${summary}</a></blockquote>`
}

/** For who sends a form that the page does not show. */
function faultNote(fault: string | null): Html | null {
  return fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`
}

function mailWay(action: string, email: string, { fault, sentences }: AlertForm, { translate: t }: PageLanguage): Html {
  const invalid = fault === null ? null : html` aria-invalid="true" aria-describedby="email-fault"`
  return html`<section class="way"><h2>${t('alerts.by_mail')}</h2><form method="post" action="${action}"><p class="field"><label for="email">${t('alerts.email')}</label><input id="email" name="email" type="email" autocomplete="email" inputmode="email" required maxlength="254" value="${email}"${invalid}>${fault === null ? null : html`<strong class="fault" id="email-fault" role="alert">${fault}</strong>`}</p><button>${t('alerts.submit')}</button></form>
<p class="quiet">${t(sentences.promise)}</p></section>`
}

/** Without an area in the address: a state from a list, or the map. */
export function areaForm(places: Places, words: PageLanguage, fault: string | null): Html {
  const t = words.translate
  const states = places.states.map(({ code, name }) => html`<option value="${code}">${name}</option>`)
  const language = words.inAddress ? html`<input type="hidden" name="lang" value="${words.language}">` : null
  return html`<div class="report alerts"${scriptData(words)}><h1>${t('alerts.heading')}</h1><p>${t('alerts.intro')}</p><p>${t('alerts.choose')}</p>${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<form method="get" action="/alerts">${language}<p class="field"><label for="state">${t('alerts.state')}</label><select id="state" name="state" required><option value=""></option>${states}</select></p><p class="field"><label for="lga">${t('alerts.lga')}</label><input id="lga" name="lga" maxlength="100" autocomplete="off"></p><button>${t('alerts.show')}</button></form>
<p><a href="/${words.inAddress ? `?lang=${words.language}` : ''}">${t('alerts.on_map')}</a></p>${ownAlerts(words)}</div>`
}
