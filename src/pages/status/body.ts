import type { ServiceStatus } from '../../../client/src/generated/types.ts'
import { SOURCE_STATUSES } from '../../domain/sources.ts'
import { ageText } from '../../i18n/age-text.ts'
import type { Translate } from '../../i18n/translate.ts'
import { momentText } from '../../lib/nigeria-time.ts'
import { type Html, html } from '../html.ts'

export function statusBody(status: ServiceStatus, t: Translate): Html {
  const { at, in_step_since, in_step_at, last_confirmed_at, incidents_24h, deliveries_24h, sources } = status
  const moment = (time: string) => html`${ageText(time, Date.parse(at), t)} <small>${momentText(time)}</small>`
  const unknown = t('status.unknown')
  return html`<article class="status"><h1>${t('page.status')}</h1>
<p class="state ${status.status}"><span class="light" aria-hidden="true"></span>${t(`status.${status.status}`)}</p>
<dl>
${in_step_since === null ? figure(t('status.in_step_at'), moment(in_step_at)) : figure(t('status.in_step_since'), moment(in_step_since))}
${figure(t('status.last_confirmed'), last_confirmed_at === null ? t('status.none') : moment(last_confirmed_at))}
${figure(t('status.incidents_24h'), incidents_24h.toLocaleString('en'))}
${figure(t('status.delivery_p50'), deliveries_24h === null ? unknown : secondsText(deliveries_24h.p50_seconds, t))}
${figure(t('status.delivery_p99'), deliveries_24h === null ? unknown : secondsText(deliveries_24h.p99_seconds, t))}
${figure(t('status.sources'), sources === null ? unknown : sourcesText(sources, t))}
</dl>
<p class="quiet">${t('status.deliveries_note')}</p>
<p class="quiet">${t('status.written', { time: momentText(at) })} <a href="/v1/status">${t('status.as_data')}</a></p></article>`
}

function figure(label: string, value: string | Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}

function secondsText(seconds: number | null, t: Translate): string {
  if (seconds === null) return t('status.no_delivery')
  const digits = seconds < 1 ? 2 : seconds < 10 ? 1 : 0
  return t('status.seconds', { count: seconds.toFixed(digits) })
}

/** Only those that there are; without any source, that. */
function sourcesText(sources: NonNullable<ServiceStatus['sources']>, t: Translate): string {
  const parts = SOURCE_STATUSES.filter((status) => sources[status] > 0).map((status) =>
    t(`status.source_${status}`, { count: sources[status] }),
  )
  return parts.length === 0 ? t('status.no_source') : parts.join(', ')
}
