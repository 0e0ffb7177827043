import type { FastifyInstance } from 'fastify'
import { postmanCollection } from '../contract/collection/postman.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import type { Environment } from '../services.ts'

const CACHING = { cacheControl: 'public, max-age=300', vary: 'Accept-Encoding' }

export function collectionsRoute(server: FastifyInstance, { version, publicUrl }: Environment): void {
  let collection: CachedBody | null = null
  server.get('/collections/postman.json', (request, reply) => {
    // Written once: it takes milliseconds, and anybody may ask for it.
    collection ??= new CachedBody(Buffer.from(JSON.stringify(postmanCollection(version, publicUrl()))))
    reply.header('access-control-allow-origin', '*')
    return sendBytes(request, reply, collection, 'application/json; charset=utf-8', CACHING)
  })
}
