import Type from 'typebox'
import { replaceBrowser as moveToSubscription, watchesOfBrowser } from '../../deliveries/alerts/browsers.ts'
import { parseSubscription, shownEndpoint } from '../../deliveries/channels/browser-subscription.ts'
import { invalidBody, type Problem } from '../../domain/errors.ts'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { parseAlertFilter } from '../../filter/live-filters.ts'
import { loadLanguage } from '../../i18n/translate.ts'
import { writeCaching } from '../caching.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { CheckedByHandler, Closed, EmailAddress, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import type { Router } from '../router.ts'
import { askForAlert, startAlertHere, tooManyAlerts } from './ask.ts'
import { alertOfBrowser } from './subscription-text.ts'

const endpoint = endpointsOf({ tag: 'Alerts', scope: null })

const area = Text('The area and the severity, in words.')
const link = Text('A page that shows the alert and ends it; a POST to it ends the alert at once. It is a secret.')

NamedObject('StartedAlert', { status: OneOf(['started']), area, link })

NamedObject('BrowserAlertList', {
  data: Type.Array(Type.Object({ area, since: Time('When it was asked for.'), link })),
})

const language = (description: string) => Type.Optional(OneOf(LANGUAGE_CODES, description))

export const requestAlert = endpoint('requestAlert', 'POST /v1/alerts', {
  summary: 'Ask for alerts, without an account',
  description:
    'For anybody: no key is needed. Tells of every incident that is confirmed in the area, and of corrections and withdrawals; or of those of one incident. By e-mail or in a browser: send either `email` or `push`. People use the page `/alerts`.\n\n' +
    'By e-mail, the address is asked first: nothing else is sent before the link in that mail is opened, within 24 hours; every later mail has a link that ends the alert and deletes the address. The answer is the same whether or not a mail was sent: an address that has not answered is asked once a week, whoever asks.\n\n' +
    'In a browser, the alert starts at once: its push service has to take a first notification, which says so. Asking again for the same returns the alert that there is. It ends by its link, when the push service says that the browser is gone, or when the browser has opened no page of this service for 60 days; all that was stored of it is then deleted.\n\n' +
    'Limited for each client, for each receiver and over all.',
  neverReplayed: true,
  body: Closed(
    {
      email: Type.Optional(EmailAddress()),
      push: Type.Optional(CheckedByHandler(Type.Ref('BrowserSubscription'))),
      filter: CheckedByHandler(
        Type.Ref('WatchFilter', {
          description:
            'Where: `state`, `lga`, `near` with `radius_km`, `bbox`, `polygon` or `route`; and, if wanted, `type`, `category`, `severity` or `min_severity`. Or `incident` alone, with the id of one incident to follow.',
        }),
      ),
      language: language('Of the question and of the messages. Default: `en`.'),
    },
    { example: { email: 'you@example.org', filter: { state: ['Kaduna'], min_severity: 'high' } } },
  ),
  response: {
    status: 202,
    description: 'The address is asked, unless it was asked lately.',
    schema: Type.Ref('PendingKey'),
  },
  otherResponses: [
    { status: 201, description: 'The alert has started in the browser.', schema: Type.Ref('StartedAlert') },
  ],
  problems: ['too_many_values', 'mail_not_set_up', 'too_many_alerts', 'channel_unavailable'],
})

export const listBrowserAlerts = endpoint('listBrowserAlerts', 'POST /v1/push/alerts', {
  sample: null,
  summary: 'List the alerts of a browser',
  description:
    'For the browser itself: no key is needed, since nobody else knows its endpoint. Alerts without an account only, oldest first; empty if the endpoint is not known.',
  neverReplayed: true,
  body: Closed(
    {
      endpoint: Text('The `endpoint` of the subscription of the browser.', { minLength: 1, maxLength: 1000 }),
      language: language('Of the area in words. Default: `en`.'),
    },
    { example: { endpoint: 'https://push.example.org/send/0123456789abcdef' } },
  ),
  response: ok('The alerts.', Type.Ref('BrowserAlertList')),
})

const DETAIL =
  'If the address was not asked lately, a mail is on its way with a link that starts the alert within 24 hours. An address that does not answer is asked once a week.'

const EITHER = 'must have either email, an address, or push, the subscription of a browser'

export function alertRoutes(router: Router): void {
  const { clock, config, guard, geography, publicUrl } = router.environment

  router.add(requestAlert, async ({ request, reply, body, services }) => {
    const { email, push, language = 'en' } = body
    if ((email === undefined) === (push === undefined)) throw invalidBody([{ pointer: '', message: EITHER }])
    const filter = parseAlertFilter(body.filter, '/filter', geography.places)
    if ('errors' in filter) throw invalidBody(filter.errors)
    const words = await loadLanguage(language)
    if (email === undefined) {
      const asked = { push, filter: filter.value, words }
      const { area, link } = await startAlertHere(request, router.environment, services, asked)
      reply.status(201).header('cache-control', 'no-store')
      return { status: 'started' as const, area, link }
    }
    await askForAlert(request, router.environment, services, { email, filter: filter.value, words })
    reply.status(202)
    return { status: 'mailed' as const, detail: DETAIL }
  })

  router.add(readPushKey, ({ request, reply, services: { channels } }) => {
    writeCaching(request, reply, { kind: 'pushKey', vary: '' })
    return { public_key: channels.push.publicKey }
  })

  router.add(recordSeenBrowser, async ({ reply, body, services: { store } }) => {
    const now = clock()
    await store.push.recordSeen(shownEndpoint(requireUrl(body.endpoint, '/endpoint')), now, now - NOTED_EVERY_MS)
    return reply.status(204).send()
  })

  router.add(listBrowserAlerts, async ({ reply, body, services: { store } }) => {
    const endpoint = requireUrl(body.endpoint, '/endpoint')
    const { translate } = await loadLanguage(body.language ?? 'en')
    const watches = await watchesOfBrowser(store, endpoint)
    reply.header('cache-control', 'no-store')
    return { data: watches.flatMap((watch) => alertOfBrowser(watch, publicUrl(), geography, translate) ?? []) }
  })

  router.add(replaceBrowser, async ({ reply, body, services: { store, channels } }) => {
    const earlier = requireUrl(body.endpoint, '/endpoint')
    const parsed = parseSubscription(body.subscription)
    if ('pointer' in parsed) throw wrong(`/subscription${parsed.pointer}`, parsed.message)
    const subscription = { ...parsed, endpoint: requireUrl(parsed.endpoint, '/subscription/endpoint') }
    const maxAlerts = config.ALERTS_PER_RECIPIENT
    const rules = { guard, furtherHosts: channels.furtherHosts, maxAlerts }
    const replaced = await moveToSubscription(store, rules, earlier, subscription, clock())
    if (replaced.kind === 'refused') throw wrong('/subscription/endpoint', replaced.fault)
    if (replaced.kind === 'too_many') throw tooManyAlerts(maxAlerts)
    return reply.status(204).send()
  })
}

const pushEndpoint = endpointsOf({ tag: 'Watches', scope: null })

NamedObject(
  'BrowserSubscription',
  {
    endpoint: Text('The address that the push service of the browser gave it.', { maxLength: 1000 }),
    keys: Type.Object({
      p256dh: Text("The browser's public key, in base64url."),
      auth: Text('Its authentication secret, in base64url.'),
    }),
    expirationTime: Type.Optional(Nullable(Type.Number({ description: 'Ignored.' }))),
  },
  {
    additionalProperties: false,
    description:
      'What `PushSubscription.toJSON()` gives in the browser that is to show notifications; it subscribes with the key of `GET /v1/push`. It is a secret, and never shown again.',
  },
)

const browserEndpoint = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description })

export const readPushKey = pushEndpoint('readPushKey', 'GET /v1/push', {
  summary: 'Get the key for notifications in browsers',
  description:
    'A page gives it to `pushManager.subscribe` as `applicationServerKey`, and sends the subscription in `channel.subscription` of a watch. All nodes have the same, and it stays: with another, every browser would have to subscribe again.',
  response: ok(
    'The public key.',
    Type.Object({
      public_key: Text('A point on the curve P-256, 65 bytes in base64url (RFC 8292).'),
    }),
  ),
})

const recordSeenBrowser = pushEndpoint('recordSeenBrowser', 'POST /v1/push/seen', {
  sample: null,
  summary: 'Say that a browser is still there',
  description:
    'Pages of this service send it when they are opened in a browser that shows notifications. Watches whose browser has not been seen for 60 days are switched off. No key is needed: nobody else knows the endpoint. The answer is the same whether it is known or not.',
  neverReplayed: true,
  body: Closed(
    {
      endpoint: browserEndpoint('The `endpoint` of the subscription of the browser.'),
    },
    { example: { endpoint: 'https://push.example.org/send/0123456789abcdef' } },
  ),
  response: { status: 204, description: 'Noted.', schema: null },
})

export const replaceBrowser = pushEndpoint('replaceBrowser', 'POST /v1/push/replace', {
  sample: null,
  summary: 'Say that a browser has another subscription',
  description:
    'For a service worker, when the browser has replaced its subscription (`pushsubscriptionchange`). All watches and alerts of the earlier one move to it; those that were switched off because it was gone go on. No key is needed: only the browser knows the earlier endpoint. The answer is the same if nothing notifies it.',
  neverReplayed: true,
  body: Closed({
    endpoint: browserEndpoint('The `endpoint` of the earlier subscription.'),
    subscription: CheckedByHandler(Type.Ref('BrowserSubscription')),
  }),
  response: { status: 204, description: 'Moved.', schema: null },
  problems: ['too_many_alerts'],
})

/** A browser is noted once in this time: more often would be writes for nothing. */
const NOTED_EVERY_MS = 20 * 3_600_000

/** As the browser writes it in `endpoint`, so that two spellings are one. */
function requireUrl(text: string, pointer: string): string {
  const url = URL.parse(text)
  if (url === null) throw wrong(pointer, 'must be the endpoint of a subscription, a URL')
  return url.href
}

function wrong(pointer: string, message: string): Problem {
  return invalidBody([{ pointer, message }])
}
