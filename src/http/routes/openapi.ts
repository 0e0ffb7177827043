import type { FastifyInstance } from 'fastify'
import { openApi } from '../../contract/openapi.ts'
import type { Environment } from '../services.ts'

export function openApiRoute(server: FastifyInstance, environment: Environment): void {
  server.get('/openapi.json', (_request, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
      .send(openApi(environment.version, environment.publicUrl())),
  )
}
