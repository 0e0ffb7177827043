import type { FastifyRequest } from 'fastify'
import { readStream } from '../../../contract/read/stream.ts'
import { Problem } from '../../../domain/errors.ts'
import { addressSubject } from '../../requests/client-address.ts'
import type { Router } from '../../router.ts'
import { checkPosition, parseStreamRequest } from './request.ts'

const HEADERS = {
  'content-type': readStream.response.contentType,
  'cache-control': 'no-store',
  // Tells nginx not to buffer: events must reach the client at once.
  'x-accel-buffering': 'no',
  // No request can follow on this connection; `close` lets a shutdown end it at once.
  connection: 'close',
}

/** What a stream counts for first, by the kind of its key. */
const BOUNDED = { live: 'account', session: 'account', publishable: 'address with this key' } as const

export function streamRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { geography } = environment
  const { connections } = authenticator.quotas
  router.beforeClose(({ streams }) => streams[Symbol.asyncDispose]())

  router.add(readStream, async ({ request, reply, services: { store, streams } }) => {
    const { filter, filterText, position } = parseStreamRequest(request, geography.places)
    if (position !== null) await checkPosition(position, streams.head, () => store.events)
    reply.headers(HEADERS)
    if (request.method === 'HEAD') return reply.send()
    // The client may have disconnected during the await; its `close` event has already fired.
    if (reply.raw.destroyed) return reply.hijack()
    const release = acquireConnection(request)
    const response = reply.hijack().raw
    response.on('close', release)
    response.writeHead(200, reply.getHeaders() as Record<string, string>)
    const { key } = request.caller!
    const after = position?.seq ?? null
    streams.addConnection(response, {
      filter,
      filterText,
      after,
      keyHash: key.hash,
      isKeyValid: () => authenticator.isStillValid(key),
    })
    return reply
  })

  function acquireConnection(request: FastifyRequest): () => void {
    const bounds = authenticator.quotas.streamBounds(request.caller!, addressSubject(request))
    const result = connections.acquire(bounds)
    if (result === 'all full') {
      throw new Problem('streams_full', 'This node has the maximum number of open streams.', {
        headers: { 'retry-after': '10' },
      })
    }
    if (result !== 'taken') {
      const { max } = bounds.find(({ subject }) => subject === result.full)!
      const whose = result.full === bounds[0]!.subject ? BOUNDED[request.caller!.key.kind] : 'publishable keys together'
      throw new Problem(
        'too_many_streams',
        `There are ${max} open streams of your ${whose} on this node, which is the maximum. Close one first.`,
      )
    }
    return () => connections.release(bounds)
  }
}
