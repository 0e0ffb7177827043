import type { FastifyInstance } from 'fastify'
import { openApi } from '../contract/openapi/document.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import type { Environment } from '../services.ts'

const CACHING = { cacheControl: 'public, max-age=300', vary: 'Accept-Encoding' }

export function openApiRoute(server: FastifyInstance, { version, publicUrl }: Environment): void {
  let document: CachedBody | null = null
  server.get('/openapi.json', (request, reply) => {
    // Written once: it takes milliseconds, and anybody may ask for it.
    document ??= new CachedBody(Buffer.from(JSON.stringify(openApi(version, publicUrl()))))
    reply.header('access-control-allow-origin', '*')
    return sendBytes(request, reply, document, 'application/json; charset=utf-8', CACHING)
  })
}
