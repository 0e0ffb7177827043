import { confidenceLevel } from '../../domain/confidence.ts'
import type { Incident } from '../../domain/incident.ts'
import { eventAgeText } from '../../i18n/event-age-text.ts'
import { casualtiesText, placeText } from '../../i18n/incident-text.ts'
import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'

/** Needs no script, for every browser and slow connections. */
export function plainList(incidents: readonly Incident[], now: number, language: PageLanguage): Html {
  if (incidents.length === 0) return html`<p class="empty">${language.translate('page.empty')}</p>`
  return html`<ol class="rows">${incidents.map((incident) => row(incident, now, language))}</ol>`
}

function row(incident: Incident, now: number, language: PageLanguage): Html {
  const t = language.translate
  const casualties = casualtiesText(incident.casualties, t, 'known')
  const facts = [
    t(`common.severity_${incident.severity}`).toLowerCase(),
    t(`common.confidence_${confidenceLevel(incident.confidence)}`),
    ...(casualties === '' ? [] : [casualties]),
  ]
  return html`<li><a class="row" href="${pathInLanguage(`/incidents/${incident.id}`, language)}"><span class="mark ${incident.severity}"></span><span class="row-summary">${incident.summary}</span>
<span class="row-meta">${placeText(incident)} · <time datetime="${incident.occurred_at}">${eventAgeText(incident, now, t)}</time> · ${facts.join(' · ')}</span></a></li>`
}
