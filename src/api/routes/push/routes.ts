import { replaceBrowser as moveToSubscription, watchesOfBrowser } from '../../../deliveries/alerts/browsers.ts'
import { parseSubscription, shownEndpoint } from '../../../deliveries/channels/browser-subscription.ts'
import { invalidBody, type Problem } from '../../../domain/errors.ts'
import { loadLanguage } from '../../../i18n/load.ts'
import { alertOfBrowser } from '../../alerts/alert-text.ts'
import { tooManyAlerts } from '../../alerts/ask.ts'
import { listBrowserAlerts } from '../../contract/alerts/alerts.ts'
import { readPushKey, recordSeenBrowser, replaceBrowser } from '../../contract/watches/push.ts'
import type { Router } from '../../router.ts'

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
