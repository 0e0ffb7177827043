import { casualtiesText, daysText, filterTexts, placesText } from '../../api/alerts/filter-text.ts'
import { confidenceLevel } from '../../domain/confidence.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Translate } from '../../i18n/translate.ts'
import { dayText, momentText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import type { Figures } from '../view/figures.ts'

export interface Briefing {
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
export function briefingBody(briefing: Briefing, places: Places, t: Translate): Html {
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
