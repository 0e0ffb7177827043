import type { FastifyInstance } from 'fastify'
import type { ServiceStatus } from '../../client/src/generated/types.ts'
import type { Environment, Phase } from '../api/services.ts'
import type { ReadStatus } from '../api/status.ts'
import type { Language } from '../domain/languages.ts'
import { SOURCE_STATUSES } from '../domain/sources.ts'
import { ageText } from '../i18n/texts.ts'
import type { LoadedLanguage, Translate } from '../i18n/translate.ts'
import { momentText } from '../lib/nigeria-time.ts'
import { type Html, html } from './html.ts'
import { StaticPage, sendStartingPage } from './page.ts'
import { pageLanguage } from './page-language.ts'

/** Serves `/status`. Each language is written and compressed once for each status. */
export function statusPage(
  server: FastifyInstance,
  { publicUrl }: Environment,
  currentPhase: () => Phase,
  readStatus: ReadStatus,
): void {
  const written = new Map<Language, { readonly status: ServiceStatus; readonly page: StaticPage }>()
  server.get('/status', async (request, reply) => {
    const words = await pageLanguage(request)
    if (currentPhase().phase === 'starting') return sendStartingPage(reply, words)
    const status = await readStatus()
    const known = written.get(words.language)
    const page = known?.status === status ? known.page : newPage(status, words, publicUrl())
    written.set(words.language, { status, page })
    return page.send(request, reply)
  })
}

function newPage(status: ServiceStatus, words: LoadedLanguage, publicUrl: string): StaticPage {
  const { translate } = words
  return new StaticPage(() => ({
    title: `${translate('page.status')} · ${translate('common.name')}`,
    description: translate('status.description'),
    body: statusBody(status, translate),
    words,
    address: `${publicUrl}/status`,
    style: STATUS_STYLE,
  }))
}

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

const STATUS_STYLE = `
.status .state{display:flex;align-items:center;gap:12px;margin:16px 0 24px;padding:16px;background:var(--panel);border:1px solid var(--line);border-left:6px solid var(--accent);border-radius:8px;font-size:17px;font-weight:600;max-width:none}
.status .state.behind{border-left-color:var(--high)}
.status .light{flex:none;width:12px;height:12px;border-radius:50%;background:var(--accent)}
.status .behind .light{background:var(--high);border-radius:0}
.status dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:12px;margin:0 0 24px}
.status dl div{display:flex;flex-direction:column;padding:16px;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.status dt{color:var(--quiet);font-size:13px}
.status dd{margin:4px 0 0;font-size:20px;font-weight:600;line-height:1.3}
.status dd small{display:block;color:var(--quiet);font-size:13px;font-weight:400}
`
