import { shownEndpoint } from '../../../channels/push/subscription.ts'
import { readPushKey, recordSeenBrowser } from '../../../contract/watches/push.ts'
import { invalidBody } from '../../../domain/errors.ts'
import type { Router } from '../../router.ts'

/** A browser is noted once in this time: more often would be writes for nothing. */
const NOTED_EVERY_MS = 20 * 3_600_000

export function pushRoutes(router: Router): void {
  const { clock } = router.environment

  router.add(readPushKey, ({ reply, services: { channels } }) => {
    reply.header('cache-control', 'public, max-age=3600')
    return { public_key: channels.push.publicKey }
  })

  router.add(recordSeenBrowser, async ({ reply, body, services: { store } }) => {
    if (!URL.canParse(body.endpoint))
      throw invalidBody([{ pointer: '/endpoint', message: 'must be the endpoint of the subscription, a URL' }])
    const now = clock()
    await store.push.recordSeen(shownEndpoint(body.endpoint), now, now - NOTED_EVERY_MS)
    return reply.status(204).send()
  })
}
