import type { FastifyRequest } from 'fastify'
import { type Listener, SessionKey } from '../../../deliveries/listening.ts'
import { Problem } from '../../../domain/errors.ts'
import { shownStatus } from '../../../domain/watch.ts'
import type { Store } from '../../../store/store.ts'
import { type Authenticator, readKey } from '../../auth/authenticator.ts'
import { listen } from '../../contract/watches/listen.ts'
import { areaOfQuery, requirePublished } from '../../requests/filter-references.ts'
import type { Router } from '../../router.ts'
import { startStream } from '../../stream.ts'
import { findWatch } from '../watches/find-watch.ts'
import { requireWebhook } from '../watches/sending.ts'
import { type ListenRequest, parseListenRequest } from './request.ts'

export function listenRoutes(router: Router): void {
  const { authenticator, environment } = router
  router.beforeClose(({ listeningStreams }) => listeningStreams[Symbol.asyncDispose]())

  router.add(listen, async ({ request, reply, services: { store, listeningStreams } }) => {
    const { places } = environment.geography
    const asked = parseListenRequest(request, places, await areaOfQuery(request, store, places))
    await requirePublished(asked.filter.incidents, store, { parameter: 'incident' })
    const { listener, greeting } =
      asked.watchId === null
        ? filterListener(asked, new SessionKey(credentialOf(request, authenticator)))
        : await watchListener(store, request.caller!.account.id, asked.watchId)
    if (listeningStreams.isFull)
      throw new Problem('streams_full', 'This node has the maximum number of listeners.', {
        headers: { 'retry-after': '10' },
      })
    return startStream(request, reply, authenticator, (response, key) =>
      listeningStreams.addConnection(response, { listener, greeting, after: asked.after, ...key }),
    )
  })
}

interface Listening {
  readonly listener: Listener
  /** The members of the first event. */
  readonly greeting: object
}

function filterListener({ filter, events }: ListenRequest, key: SessionKey): Listening {
  return { listener: { kind: 'filter', filter, events, key }, greeting: { watch: null, events, secret: key.secret } }
}

async function watchListener(store: Store, accountId: string, watchId: string): Promise<Listening> {
  const watch = await findWatch(store, accountId, watchId)
  requireWebhook(watch)
  const { id, name, events } = watch
  return {
    listener: { kind: 'watch', accountId, watchId: id },
    greeting: { watch: { id, name, status: shownStatus(watch), events }, events, secret: null },
  }
}

/** The text that only the caller and this service know. */
function credentialOf(request: FastifyRequest, { sessions }: Authenticator): string {
  const key = readKey(request, false)
  const credential = typeof key === 'string' ? key : sessions.cookie.read(request)
  if (credential === null) throw new TypeError('a caller was admitted without a key or a session')
  return credential
}
