import type { FastifyRequest } from 'fastify'
import type { Environment, Services } from '../../api/services.ts'
import { ALERTS_ACCOUNT_ID } from '../../deliveries/alerts/alerts-account.ts'
import { browserHash } from '../../deliveries/browsers/browser-watches.ts'
import { startBrowserAlert } from '../../deliveries/browsers/start-alert.ts'
import { hostOfEndpoint } from '../../deliveries/channels/push/push-services.ts'
import { parseSubscription } from '../../deliveries/channels/push/subscription.ts'
import { cut } from '../../deliveries/channels/text.ts'
import { endpointFault } from '../../deliveries/guard/guard.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { canonicalObject } from '../../filter/filter/canonical.ts'
import type { LiveFilter } from '../../filter/filter/filter.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import { alertSubject } from './alert-subject.ts'
import { countAlertRequest, offersAlerts } from './ask.ts'

/** A notification holds about 3 kB. */
const MAX_LABEL_LENGTH = 300

export interface AlertHere {
  /** What the browser's subscription gives; not checked yet. */
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
