import { readStream } from '../../../contract/read/stream.ts'
import type { Router } from '../../router.ts'
import { acquireStream, STREAM_HEADERS } from './acquire-stream.ts'
import { checkPosition, parseStreamRequest } from './request.ts'

export function streamRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { geography } = environment
  router.beforeClose(({ streams }) => streams[Symbol.asyncDispose]())

  router.add(readStream, async ({ request, reply, services: { store, streams } }) => {
    const { filter, filterText, position } = parseStreamRequest(request, geography.places)
    if (position !== null) await checkPosition(position, streams.head, () => store.events)
    reply.headers(STREAM_HEADERS)
    if (request.method === 'HEAD') return reply.send()
    // The client may have disconnected during the await; its `close` event has already fired.
    if (reply.raw.destroyed) return reply.hijack()
    const release = acquireStream(request, authenticator)
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
}
