import type { FastifyRequest } from 'fastify'
import { secondsLeftOfDay } from '../../accounts/mail.ts'
import { dayOf } from '../../accounts/usage-meter.ts'
import type { Config } from '../../config/settings.ts'
import { ALERTS_ACCOUNT_ID, requestAlert } from '../../deliveries/alerts/alerts.ts'
import { browserHash, startBrowserAlert } from '../../deliveries/alerts/browsers.ts'
import { cut } from '../../deliveries/channels/alert.ts'
import { hostOfEndpoint, parseSubscription } from '../../deliveries/channels/browser-subscription.ts'
import { endpointFault } from '../../deliveries/guard/guard.ts'
import { canonicalAddress } from '../../domain/email-address.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { canonicalObject, type LiveFilter } from '../../filter/filter.ts'
import type { LoadedLanguage } from '../../i18n/translate.ts'
import type { Store } from '../../store/store.ts'
import { rateLimited } from '../auth/quotas.ts'
import { addressSubject } from '../request.ts'
import type { Environment, Services } from '../services.ts'
import { alertSubject } from './subscription-text.ts'

interface AskedAlert {
  /** As it was typed; checked. */
  readonly email: string
  readonly filter: LiveFilter
  /** The one that the reader has chosen: of the question, and of every mail after it. */
  readonly words: Pick<LoadedLanguage, 'language' | 'translate'>
}

/** Whether the service offers alerts without an account: in browsers, which need nothing else. */
export function offersAlerts({ ALERTS_PER_HOUR }: Config): boolean {
  return ALERTS_PER_HOUR > 0
}

export function offersAlertsByMail(config: Config): boolean {
  return config.SMTP_URL !== null && offersAlerts(config)
}

/**
 * Counts the request and asks the receiver by mail. Throws a `Problem` at a limit, or if an
 * incident is not public.
 */
export async function askForAlert(
  request: FastifyRequest,
  environment: Environment,
  { store, archive }: Pick<Services, 'store' | 'archive'>,
  { email: typed, filter: given, words: { language, translate: t } }: AskedAlert,
): Promise<void> {
  const { mailer, config, clock, publicUrl, geography } = environment
  if (mailer === null || !offersAlertsByMail(config))
    throw new Problem('mail_not_set_up', 'This service offers no alerts by e-mail without an account.')
  const { filter, label, sentences } = alertSubject(given, archive, geography, t)
  const now = clock()
  await countAlertRequest(request, store, config, now, null)
  const canonical = JSON.stringify(canonicalObject(filter))
  const asked = {
    email: canonicalAddress(typed),
    label,
    language,
    filter: { given: canonical, canonical },
    question: (link: string) => ({
      subject: t('alerts.mail_subject', { area: label }),
      text: `${t(sentences.mail, { area: label, link })}\n`,
    }),
  }
  // Not awaited: the time of the answer would tell who was asked before.
  requestAlert(store, mailer, publicUrl(), asked, now).catch((error: unknown) =>
    request.log.error({ err: error, request_id: request.id }, 'the question about an alert could not be mailed'),
  )
}

/**
 * Throws at a limit of the day. By client first, so that one cannot fill the table; apart from
 * links to sign in: strangers must not use up those of somebody else. `browser` is the hash of a
 * browser.
 */
async function countAlertRequest(
  request: FastifyRequest,
  { mails }: Pick<Store, 'mails'>,
  { MAILS_PER_CLIENT, ALERTS_PER_RECIPIENT, ALERT_REQUESTS_PER_DAY }: Config,
  now: number,
  browser: string | null,
): Promise<void> {
  const day = dayOf(now)
  const isAllowed =
    (await mails.countMail(`alert client ${addressSubject(request)}`, day, MAILS_PER_CLIENT)) &&
    (browser === null || (await mails.countMail(`alert browser ${browser}`, day, ALERTS_PER_RECIPIENT))) &&
    (await mails.countMail('alert requests', day, ALERT_REQUESTS_PER_DAY))
  if (isAllowed) return
  throw rateLimited('Too many alerts were asked for today.', secondsLeftOfDay(now))
}

/** A notification holds about 3 kB. */
const MAX_LABEL_LENGTH = 300

interface AlertHere {
  /** The browser's subscription; not checked yet. */
  readonly push: unknown
  readonly filter: LiveFilter
  readonly words: Pick<LoadedLanguage, 'language' | 'translate'>
}

/** Starts an alert in the browser that asks. Throws a `Problem` if it cannot be, and at a limit. */
export async function startAlertHere(
  request: FastifyRequest,
  environment: Environment,
  { store, archive, channels }: Pick<Services, 'store' | 'archive' | 'channels'>,
  { push, filter: given, words: { language, translate: t } }: AlertHere,
): Promise<{ readonly area: string; readonly link: string }> {
  const { config, clock, sender, geography, publicUrl } = environment
  if (!offersAlerts(config))
    throw new Problem('channel_unavailable', 'This service offers no alerts without an account.')
  const parsed = parseSubscription(push)
  if ('pointer' in parsed) throw wrong(parsed.pointer, parsed.message)
  const url = URL.parse(parsed.endpoint)
  const host = hostOfEndpoint(parsed.endpoint, channels.furtherHosts)
  if (url === null || host === 'other')
    throw wrong(
      '/endpoint',
      'is not of a known push service; other browsers need an account, or a host that the operator allows',
    )
  const { filter, label: area } = alertSubject(given, archive, geography, t)
  const now = clock()
  const endpoint = url.href
  // Before any name is resolved: what a stranger's request costs is limited from here on.
  await countAlertRequest(request, store, config, now, browserHash(endpoint))
  const fault = host === 'allowed' ? await endpointFault(endpoint, environment.guard, ALERTS_ACCOUNT_ID) : null
  if (fault !== null) throw wrong('/endpoint', fault)
  const canonical = JSON.stringify(canonicalObject(filter))
  const first = {
    web_push: 8030,
    notification: {
      title: t('alerts.push_started'),
      body: cut(area, MAX_LABEL_LENGTH),
      lang: language,
      dir: 'ltr',
      tag: 'alerts',
      navigate: `${publicUrl()}/alerts?lang=${language}`,
    },
  }
  const outcome = await startBrowserAlert(
    { store, sender, push: channels.push },
    {
      subscription: { ...parsed, endpoint },
      filter: { given: canonical, canonical },
      label: area,
      language,
      first: JSON.stringify(first),
      max: config.ALERTS_PER_RECIPIENT,
    },
    now,
  )
  if (outcome.kind === 'started') return { area, link: `${publicUrl()}/alerts/${outcome.token}` }
  if (outcome.kind === 'too_many') throw tooManyAlerts(config.ALERTS_PER_RECIPIENT)
  if (outcome.kind === 'refused')
    throw wrong(
      '/endpoint',
      `was refused by the push service (status ${outcome.status}): subscribe again, with the key of GET /v1/push`,
    )
  throw new Problem('channel_unavailable', `The push service of the browser cannot be used. ${outcome.detail}`)
}

export function tooManyAlerts(max: number): Problem {
  return new Problem('too_many_alerts', `A browser may have ${max} alerts. End one first: the page /alerts lists them.`)
}

function wrong(pointer: string, message: string): Problem {
  return invalidBody([{ pointer: `/push${pointer}`, message } satisfies FieldError])
}
