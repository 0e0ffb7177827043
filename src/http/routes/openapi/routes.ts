import type { FastifyInstance } from 'fastify'
import { openApi } from '../../../contract/openapi.ts'
import type { Dependencies } from '../../services.ts'

export function openApiRoute(server: FastifyInstance, dependencies: Dependencies): void {
  server.get('/openapi.json', (_request, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
      .send(openApi(dependencies.version, dependencies.publicUrl)),
  )
}
