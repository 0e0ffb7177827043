import type { FastifyRequest } from 'fastify'
import { readStream } from '../../../contract/read/stream.ts'
import { Problem } from '../../../domain/errors.ts'
import { ConnectionLimit } from '../../../streams/connection-limit.ts'
import { quotaSubjectOf } from '../../auth/authenticator.ts'
import type { Router } from '../../router.ts'
import { checkPosition, streamRequestOf } from './request.ts'

const HEADERS = {
  'content-type': readStream.response.contentType,
  'cache-control': 'no-store',
  // A proxy that collected events before it passed them on would make a stream pointless.
  'x-accel-buffering': 'no',
  // Nothing can follow on this connection; saying so lets a stop end it at once.
  connection: 'close',
}

export function streamRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { config, geography } = environment
  const seats = new ConnectionLimit({ all: config.STREAMS, each: config.STREAMS_PER_KEY })
  router.beforeClose(({ streams }) => streams[Symbol.asyncDispose]())

  router.add(readStream, async ({ request, reply, services: { store, streams } }) => {
    const { filter, filterText, position } = streamRequestOf(request, geography.places)
    if (position !== null) await checkPosition(position, streams.head, () => store.events)
    reply.headers(HEADERS)
    if (request.method === 'HEAD') return reply.send()
    // Who has left meanwhile would never be noticed leaving.
    if (reply.raw.destroyed) return reply.hijack()
    const free = takeSeat(request)
    const response = reply.hijack().raw
    response.on('close', free)
    response.writeHead(200, reply.getHeaders() as Record<string, string>)
    const { key } = request.caller!
    const after = position?.seq ?? null
    streams.add(response, { filter, filterText, after, keyHash: key.hash, keyHolds: () => authenticator.holds(key) })
    return reply
  })

  function takeSeat(request: FastifyRequest): () => void {
    const caller = quotaSubjectOf(request.caller!.key, request)
    const result = seats.acquire(caller)
    if (result === 'caller full') {
      throw new Problem(
        'too_many_streams',
        `The key has ${config.STREAMS_PER_KEY} streams open here, as many as it may. Close one first.`,
      )
    }
    if (result === 'all full') {
      throw new Problem('streams_full', 'This node has as many streams open as it can serve.', {
        headers: { 'retry-after': '10' },
      })
    }
    return () => seats.release(caller)
  }
}
