import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { alertSubject } from '../../api/alerts/alert-text.ts'
import { askForAlert, offersAlerts, offersAlertsByMail } from '../../api/alerts/ask.ts'
import { survivingId } from '../../api/incidents/find.ts'
import { QueryClient } from '../../api/requests/client.ts'
import { queryOf } from '../../api/requests/parameters.ts'
import { type Environment, type Phase, requireServices } from '../../api/services.ts'
import { Problem } from '../../domain/errors.ts'
import type { StreamFilter } from '../../filter/filter.ts'
import { parseAlertFilter } from '../../filter/live-filters.ts'
import { acceptForms } from '../form.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'
import { REPORT_STYLE } from '../report/style.ts'
import { areaAddress, filterInAlertAddress, severityInAddress } from './alert-address.ts'
import { alertForm, areaForm } from './alert-form.ts'

type FormRequest = FastifyRequest<{ Body: URLSearchParams | undefined }>

const PREVIEW_MS = 30 * 86_400_000
/** Two cards side by side, or one below the other on a phone. */
const WAYS_STYLE = `.alerts{max-width:880px}.alerts>.alert-severity{max-width:640px}.ways{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:16px;align-items:start}.way{max-width:640px;padding:16px 20px;border:1px solid var(--line);border-radius:8px;background:var(--panel)}.way h2{margin-top:0}.way>button{margin-bottom:16px}.way .quiet{margin-bottom:0}.way .field input{background:var(--paper)}.status:empty{display:none}#mine ul{padding:0;list-style:none}#mine li{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;padding:8px 0;border-top:1px solid var(--line)}#mine li>span{flex:1 1 220px}#mine li button{margin:0}[hidden]{display:none!important}`
const STYLE = `${REPORT_STYLE}.alert-area a{display:inline-block;margin-left:8px}.alert-preview{margin:16px 0 24px}.alert-incident{margin:0 0 24px;padding-left:12px;border-left:3px solid var(--line)}form+p{margin-top:16px}${WAYS_STYLE}`
const Email = Type.String({ format: 'email', maxLength: 254 })

/** Serves `/alerts`: what the map or the page of an area leads to. Works without JavaScript. */
export function alertsPage(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  const { geography, clock, queries } = environment
  const { places } = geography

  server.get('/alerts', async (request, reply) => {
    const words = await pageLanguage(request)
    return send(reply, words, addressOf(request), await formFor(request, reply, words, '', null))
  })

  server.register(async (form) => {
    acceptForms(form)
    form.post('/alerts', async (request: FormRequest, reply) => {
      const words = await pageLanguage(request)
      const t = words.translate
      const address = new URLSearchParams(queryOf(request))
      const email = request.body?.get('email')?.trim() ?? ''
      const filter = parseAlertFilter(filterInAlertAddress(address), '', places)
      if ('errors' in filter) return send(reply, words, '/alerts', await formFor(request, reply, words, '', null))
      const again = async (status: number, fault: string) =>
        send(reply.status(status), words, addressOf(request), await formFor(request, reply, words, email, fault))
      if (!Value.Check(Email, email)) return again(422, t('alerts.wrong_email'))
      try {
        const asked = { email, filter: filter.value, words }
        await askForAlert(request, environment, requireServices(currentPhase()), asked)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        reply.headers(error.headers)
        if (error.code === 'invalid_body') return send(reply.status(404), words, '/alerts', unknownIncident(words))
        const limited = error.code === 'rate_limited'
        return again(limited ? 429 : 403, t(limited ? 'alerts.too_often' : 'alerts.no_mail'))
      }
      const body = html`<h1>${t('alerts.sent_heading')}</h1><p>${t('alerts.sent', { email })}</p>`
      return send(reply, words, '/alerts', body)
    })
  })

  /** The form for the area in the address, or the one that asks for an area. */
  async function formFor(
    request: FastifyRequest,
    reply: FastifyReply,
    words: PageLanguage,
    email: string,
    fault: string | null,
  ): Promise<Html> {
    const t = words.translate
    if (!offersAlerts(environment.config)) return html`<h1>${t('alerts.heading')}</h1><p>${t('alerts.none')}</p>`
    const address = new URLSearchParams(queryOf(request))
    const query = areaAddress(address)
    if (query.size === 0) return areaForm(places, words, null)
    const given = filterInAlertAddress(address)
    const filter = parseAlertFilter(given, '', places)
    if ('errors' in filter) return areaForm(places, words, filter.errors[0]!.message)
    const { archive } = requireServices(currentPhase())
    const { incidents } = filter.value
    if (incidents !== null && archive.slotOf(survivingId(archive, incidents[0]!)) === null) {
      reply.status(404)
      return unknownIncident(words)
    }
    const subject = alertSubject({ ...filter.value, severities: null }, archive, geography, t)
    const { label: area, sentences, incident } = subject
    const matches = incidents === null ? await countLately(request, reply, { ...filter.value, incidents }) : 0
    const severity = severityInAddress(address)
    const mail = offersAlertsByMail(environment.config) ? email : null
    return alertForm({ area, sentences, incident, severity, matches, email: mail, fault, query, filter: given }, words)
  }

  function countLately(request: FastifyRequest, reply: FastifyReply, filter: StreamFilter): number | Promise<number> {
    const { archive } = requireServices(currentPhase())
    const now = clock()
    const lately = { ...filter, publishedFrom: now - PREVIEW_MS }
    return queries.run(archive, new QueryClient(request, reply), (view) => view.count({ filter: lately, now }))
  }

  function send(reply: FastifyReply, words: PageLanguage, address: string, body: Html): FastifyReply {
    const t = words.translate
    return sendPage(reply, {
      title: `${t('alerts.title')} · ${t('common.name')}`,
      description: t('alerts.description'),
      body,
      words,
      address: `${environment.publicUrl()}${address}`,
      style: STYLE,
      script: environment.mapAssets?.alerts.script,
      secret: true,
    })
  }
}

/** Nothing follows from an incident that was withdrawn, or never was. */
function unknownIncident({ translate: t }: PageLanguage): Html {
  return html`<h1>${t('panel.card_unknown')}</h1><p>${t('alerts.follow_unknown')}</p><p><a href="/alerts">${t('alerts.again')}</a></p>`
}

/** The path with its query, without the language. */
function addressOf(request: FastifyRequest): string {
  const query = new URLSearchParams(queryOf(request))
  query.delete('lang')
  return query.size === 0 ? '/alerts' : `/alerts?${query}`
}
