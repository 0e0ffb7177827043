import Type from 'typebox'
import { replaceBrowser as moveToSubscription, watchesOfBrowser } from '../deliveries/alerts/browsers.ts'
import { parseSubscription, shownEndpoint } from '../deliveries/channels/browser-subscription.ts'
import { invalidBody, type Problem } from '../domain/errors.ts'
import { loadLanguage } from '../i18n/translate.ts'
import { alertOfBrowser } from './alerts/alert-text.ts'
import { listBrowserAlerts } from './alerts/alerts.ts'
import { tooManyAlerts } from './alerts/ask.ts'
import { endpointsOf, ok } from './contract/endpoint.ts'
import { CheckedByHandler, Closed, NamedObject, Nullable, Text } from './contract/schema.ts'
import type { Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Watches', scope: null })

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

export const readPushKey = endpoint('readPushKey', 'GET /v1/push', {
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

const recordSeenBrowser = endpoint('recordSeenBrowser', 'POST /v1/push/seen', {
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

export const replaceBrowser = endpoint('replaceBrowser', 'POST /v1/push/replace', {
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

export function pushRoutes(router: Router): void {
  const { clock, config, guard, geography, publicUrl } = router.environment

  router.add(readPushKey, ({ reply, services: { channels } }) => {
    reply.header('cache-control', 'public, max-age=3600')
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

/** As the browser writes it in `endpoint`, so that two spellings are one. */
function requireUrl(text: string, pointer: string): string {
  const url = URL.parse(text)
  if (url === null) throw wrong(pointer, 'must be the endpoint of a subscription, a URL')
  return url.href
}

function wrong(pointer: string, message: string): Problem {
  return invalidBody([{ pointer, message }])
}
