import type { FastifyRequest } from 'fastify'
import { secondsLeftOfDay } from '../../accounts/mail/mail-limits.ts'
import { dayOf } from '../../accounts/usage/usage-meter.ts'
import { addressSubject } from '../../api/requests/client-address.ts'
import type { Environment, Services } from '../../api/services.ts'
import type { Config } from '../../config/settings.ts'
import { requestAlert } from '../../deliveries/alerts/request-alert.ts'
import { Problem } from '../../domain/errors.ts'
import { canonicalObject } from '../../filter/filter/canonical.ts'
import type { LiveFilter } from '../../filter/filter/filter.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import type { Store } from '../../store/store.ts'
import { alertSubject } from './alert-subject.ts'

export interface AskedAlert {
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
  { email, filter: given, words: { language, translate: t } }: AskedAlert,
): Promise<void> {
  const { mailer, config, clock, publicUrl, geography } = environment
  if (mailer === null || !offersAlertsByMail(config))
    throw new Problem('mail_not_set_up', 'This service offers no alerts by e-mail without an account.')
  const { filter, label, sentences } = alertSubject(given, archive, geography, t)
  const now = clock()
  await countAlertRequest(request, store, config, now, null)
  const canonical = JSON.stringify(canonicalObject(filter))
  const asked = {
    email,
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
export async function countAlertRequest(
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
  const resetsIn = secondsLeftOfDay(now)
  throw new Problem('rate_limited', `Too many alerts were asked for today. Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}
