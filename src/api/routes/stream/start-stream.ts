import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../../auth/authenticator.ts'
import type { CountedResponse } from '../../responses/counted-response.ts'
import { acquireStream } from './acquire-stream.ts'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Tells nginx not to buffer: events must reach the client at once.
  'x-accel-buffering': 'no',
  // No request can follow on this connection; `close` lets a shutdown end it at once.
  connection: 'close',
}

/** The key of a connection, by which it is closed once the key is no longer valid. */
interface StreamKey {
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

/** Sends the headers of a stream and counts it; `connect` gets the open response. */
export function startStream(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
  connect: (response: ServerResponse, key: StreamKey) => void,
): FastifyReply {
  reply.headers(STREAM_HEADERS)
  const response = reply.raw as CountedResponse
  if (request.method === 'HEAD') {
    response.isStream = true
    return reply.send()
  }
  // The client may have disconnected during an await; its `close` event has already fired.
  if (reply.raw.destroyed) return reply.hijack()
  const release = acquireStream(request, authenticator)
  reply.hijack()
  response.isStream = true
  response.on('close', release)
  response.writeHead(200, reply.getHeaders() as Record<string, string>)
  const { key } = request.caller!
  connect(response, { keyHash: key.hash, isKeyValid: () => authenticator.keyHolders.isStillValid(key) })
  return reply
}
