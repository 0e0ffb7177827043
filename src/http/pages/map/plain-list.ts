import { confidenceLevel } from '../../../domain/confidence/levels.ts'
import type { Incident } from '../../../domain/incident.ts'
import { SEVERITY_DESCRIPTIONS } from '../../../domain/taxonomy.ts'
import { eventAgeText } from '../../../i18n/event-age-text.ts'
import { english } from '../../../i18n/translate.ts'
import { type Html, html } from '../html.ts'

/** Needs no script, for every browser and slow connections. */
export function plainList(incidents: readonly Incident[], now: number): Html {
  if (incidents.length === 0) return html`<p class="empty">No incident has been published in this span of time.</p>`
  return html`<ol class="rows">${incidents.map((incident) => row(incident, now))}</ol>`
}

function row(incident: Incident, now: number): Html {
  const { label } = SEVERITY_DESCRIPTIONS[incident.severity]
  return html`<li><a class="row" href="/incidents/${incident.id}"><span class="mark ${incident.severity}"></span><span class="row-summary">${incident.summary}</span>
<span class="row-meta">${whereOf(incident)} · <time datetime="${incident.occurred_at}">${eventAgeText(incident, now, english)}</time> · ${label.toLowerCase()} · ${english(`common.confidence_${confidenceLevel(incident.confidence)}`)}</span></a></li>`
}

export function whereOf({ lga, state }: Incident): string {
  return lga === null ? state : `${lga}, ${state}`
}
