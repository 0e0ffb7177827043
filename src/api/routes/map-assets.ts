import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { encodingFor } from '../requests/encoding.ts'
import type { Environment } from '../services.ts'

/** Immutable, because a file's name changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

export function mapAssetRoutes(server: FastifyInstance, { mapAssets }: Environment): void {
  server.get('/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = mapAssets?.files.get(`/assets/${request.params.name}`)
    if (asset === undefined) throw new Problem('not_found', 'There is no such file.')
    const encoding = encodingFor(request.headers['accept-encoding'], asset.bytes.identity.length)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .headers({ 'content-type': asset.contentType, 'cache-control': IMMUTABLE, vary: 'Accept-Encoding' })
      .send(asset.bytes[encoding])
  })
}
