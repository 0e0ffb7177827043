import type { KeyHolder } from '../../../accounts/key-cache.ts'
import { dayOf, flushUsage } from '../../../accounts/usage-meter.ts'
import { scopesLeft } from '../../../domain/accounts.ts'
import { addressLimitOf, limitOf } from '../../auth/quotas.ts'
import { changeMe, deleteMe, readMe } from '../../contract/accounts/me.ts'
import { addressSubject } from '../../requests/client.ts'
import type { Router } from '../../router.ts'
import { accountResponse, quotasOf, usageDaysOf } from '../admin/response.ts'
import { keyResponse, keyResponses } from '../keys/response.ts'
import { sessionResponse } from '../sessions/response.ts'
import { deleteOwnAccount, renameOwnAccount } from './own-account.ts'

export function meRoutes(router: Router): void {
  const { environment, authenticator } = router
  const { config, clock } = environment

  router.add(readMe, async ({ request, services: { store } }) => {
    const caller = request.caller!
    if (caller.key.kind === 'publishable') return publishableMe(caller, addressSubject(request))
    const { account, key, session } = caller
    const now = clock()
    // Flushed first, so that the count includes this request.
    await flushUsage(store, environment.usage)
    const days = await usageDaysOf(store, account.id, now)
    return {
      account: accountResponse(account),
      key: (await keyResponses(store, [key], now))[0]!,
      session: session === undefined ? null : sessionResponse(session, key, session.id),
      scopes: scopesLeft(key, account.role),
      limits: {
        requests_per_minute: session ? config.RATE_LIMIT_SESSION : limitOf(config, account, 'requests_per_minute'),
      },
      quotas: await quotasOf(account, store, authenticator.quotas, config, now),
      usage: { day: dayOf(now), requests: days.at(-1)!.requests, days },
    }
  })

  router.add(changeMe, async ({ request, body, services: { store } }) => {
    const caller = request.caller!
    const changed = await renameOwnAccount(store, caller, body.name, clock())
    authenticator.keys.forget(caller.key.hash)
    return accountResponse(changed)
  })

  router.add(deleteMe, async ({ request, reply, body, services }) => {
    const caller = request.caller!
    const { keyHashes, sessionHashes } = await deleteOwnAccount(services.store, caller, body.confirm, clock())
    // Here at once; other nodes follow by their poll of revocations.
    environment.deletedAccounts.add([caller.account.id])
    const ended = new Set([...keyHashes, ...sessionHashes])
    for (const hash of ended) authenticator.keys.forget(hash)
    services.streams.revoke(ended)
    services.listeningStreams.revoke(ended)
    if (caller.session !== undefined) authenticator.sessions.cookie.clear(reply)
    return reply.status(204).send()
  })

  /** The key is public: whoever finds it must not learn whose it is, or how much it is used. */
  async function publishableMe(caller: KeyHolder, address: string) {
    const limit = addressLimitOf(config, caller)
    const used = await authenticator.quotas.usedByAddress(caller, address)
    return {
      account: null,
      key: { ...keyResponse(caller.key), name: null },
      session: null,
      scopes: scopesLeft(caller.key, caller.account.role),
      limits: { requests_per_minute: limit },
      quotas: { requests_per_minute: { limit, used, window_seconds: 60 } },
      usage: null,
    }
  }
}
