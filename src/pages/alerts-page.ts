import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { askForAlert, offersAlerts, offersAlertsByMail } from '../api/alerts/ask.ts'
import { type AlertSentences, aboveText, alertSubject } from '../api/alerts/subscription-text.ts'
import { survivingId } from '../api/incidents/incidents.ts'
import { QueryClient, queryOf } from '../api/request.ts'
import { type Environment, type Phase, requireServices } from '../api/services.ts'
import { parseEmailAddress } from '../domain/email-address.ts'
import { Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import type { StreamFilter } from '../filter/filter.ts'
import { parseAlertFilter } from '../filter/live-filters.ts'
import { boxInAddress } from '../filter/map-address.ts'
import { numberText } from '../lib/text.ts'
import { type Html, html } from './html.ts'
import { acceptForms, sendPage } from './page.ts'
import { type PageLanguage, pageLanguage, pathInLanguage } from './page-language.ts'
import { REPORT_STYLE } from './report/report-page.ts'

type FormRequest = FastifyRequest<{ Body: URLSearchParams | undefined }>

const PREVIEW_MS = 30 * 86_400_000
/** Two cards side by side, or one below the other on a phone. */
const WAYS_STYLE = `.alerts{max-width:880px}.alerts>.alert-severity{max-width:640px}.ways{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:16px;align-items:start}.way{max-width:640px;padding:16px 20px;border:1px solid var(--line);border-radius:8px;background:var(--panel)}.way h2{margin-top:0}.way>button{margin-bottom:16px}.way .quiet{margin-bottom:0}.way .field input{background:var(--paper)}.status:empty{display:none}#mine ul{padding:0;list-style:none}#mine li{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;padding:8px 0;border-top:1px solid var(--line)}#mine li>span{flex:1 1 220px}#mine li button{margin:0}[hidden]{display:none!important}`
const STYLE = `${REPORT_STYLE}.alert-area a{display:inline-block;margin-left:8px}.alert-preview{margin:16px 0 24px}.alert-incident{margin:0 0 24px;padding-left:12px;border-left:3px solid var(--line)}form+p{margin-top:16px}${WAYS_STYLE}`

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
      if ('fault' in parseEmailAddress(email)) return again(422, t('alerts.wrong_email'))
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

interface AlertForm {
  readonly area: string
  readonly sentences: AlertSentences
  /** The one to follow; null for an area. */
  readonly incident: Incident | null
  readonly severity: Severity
  /** Of the last 30 days. */
  readonly matches: number
  /** Null if the service sends no mail. */
  readonly email: string | null
  /** The fault of the last answer; null if there is none. */
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
function alertForm(form: AlertForm, words: PageLanguage): Html {
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

/** Shows the followed incident, so that the reader sees it before giving an address. */
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
function areaForm(places: Places, words: PageLanguage, fault: string | null): Html {
  const t = words.translate
  const states = places.states.map(({ code, name }) => html`<option value="${code}">${name}</option>`)
  const language = words.inAddress ? html`<input type="hidden" name="lang" value="${words.language}">` : null
  return html`<div class="report alerts"${scriptData(words)}><h1>${t('alerts.heading')}</h1><p>${t('alerts.intro')}</p><p>${t('alerts.choose')}</p>${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<form method="get" action="/alerts">${language}<p class="field"><label for="state">${t('alerts.state')}</label><select id="state" name="state" required><option value=""></option>${states}</select></p><p class="field"><label for="lga">${t('alerts.lga')}</label><input id="lga" name="lga" maxlength="100" autocomplete="off"></p><button>${t('alerts.show')}</button></form>
<p><a href="/${words.inAddress ? `?lang=${words.language}` : ''}">${t('alerts.on_map')}</a></p>${ownAlerts(words)}</div>`
}

/** The sentences that the page hands to its script (`web/alerts`). */
const SCRIPT_WORDS = [
  'push_ready',
  'push_denied',
  'push_home_screen',
  'push_unsupported',
  'push_working',
  'push_done',
  'push_not_allowed',
  'push_failed',
  'push_too_many',
  'too_often',
  'since',
  'end',
  'ended_heading',
] as const

/** Attributes of the element that the script works in. */
function scriptData({ language, translate: t }: PageLanguage): Html {
  // `since` keeps its placeholder: the script fills it.
  const words = Object.fromEntries(SCRIPT_WORDS.map((name) => [name, t(`alerts.${name}`, { date: '{date}' })]))
  return html` data-language="${language}" data-words="${JSON.stringify(words)}"`
}

/** Hidden until the script knows what the browser can do. */
function browserWay(filter: object, isOnlyWay: boolean, { translate: t }: PageLanguage): Html {
  return html`<section class="way" id="here" data-filter="${JSON.stringify(filter)}"${isOnlyWay ? html` data-only="true"` : null} hidden><h2>${t('alerts.push_heading')}</h2><p class="push-note"></p><button type="button" hidden>${t('alerts.push_start')}</button><p class="status" role="status"></p><p class="quiet promise" hidden>${t('alerts.push_promise')}</p></section>${isOnlyWay ? html`<noscript><p>${t('alerts.push_script')}</p></noscript>` : null}`
}

/** Filled by the script, if this browser has alerts. */
function ownAlerts({ translate: t }: PageLanguage): Html {
  return html`<section id="mine" hidden><h2 tabindex="-1">${t('alerts.push_mine')}</h2><ul></ul><p class="status" role="status"></p></section>`
}

/**
 * The parts of the map's address that say where, or which incident; the page of alerts takes the
 * same.
 */
const NAMES = ['incident', 'state', 'lga', 'near', 'radius_km', 'road', 'buffer_km', 'polygon', 'box'] as const

/**
 * The filter of an alert from the address of its page, as the API would take it. `severity` may be
 * the map's list, of which the lowest counts. Faulty parts are kept: the parser says what is wrong.
 */
export function filterInAlertAddress(address: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => address.get(name)?.trim() || null
  const incident = text('incident')
  if (incident !== null) return { incident: [incident] }
  const [near, road, polygon] = [text('near'), text('road'), text('polygon')]
  const box = boxInAddress(address)
  const severity = severityInAddress(address)
  return {
    ...listMember('state', text('state')),
    ...listMember('lga', text('lga')),
    ...(near === null ? {} : { near: near.split(',').map(Number), radius_km: Number(text('radius_km') ?? Number.NaN) }),
    ...(road === null ? {} : { route: { line: positions(road), buffer_km: Number(text('buffer_km') ?? Number.NaN) } }),
    ...(polygon === null ? {} : { polygon: { type: 'Polygon', coordinates: [positions(polygon)] } }),
    ...(box === null ? {} : { bbox: [...box] }),
    ...(severity === 'low' ? {} : { min_severity: severity }),
  }
}

/** `min_severity`, or the lowest of the map's `severity`. */
function severityInAddress(address: URLSearchParams): Severity {
  const named = address.get('min_severity')?.split(',') ?? address.get('severity')?.split(',') ?? []
  return SEVERITIES.find((severity) => named.includes(severity)) ?? 'low'
}

/** The address of the page for the same area, without its other parameters. */
function areaAddress(address: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of NAMES) {
    const value = address.get(name)
    if (value) kept.set(name, value)
  }
  return kept
}

function listMember(name: string, text: string | null): Record<string, string[]> {
  const values = text?.split(',').map((part) => part.trim()) ?? []
  const named = values.filter((value) => value !== '')
  return named.length === 0 ? {} : { [name]: named }
}

/** Reads `lng,lat;lng,lat`. */
function positions(text: string): number[][] {
  return text.split(';', 500).map((part) => part.split(',', 3).map((number) => Number.parseFloat(number)))
}
