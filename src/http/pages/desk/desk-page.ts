import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../services.ts'
import { deskDocument } from './document.ts'
import { DESK_POLICY } from './policy.ts'

/** Whether the request comes with a session that is valid. */
export type HasSession = (request: FastifyRequest) => Promise<boolean>

/** Serves the desk to people with a session; everybody else is sent to sign in first. */
export function deskPage(server: FastifyInstance, environment: Environment, hasSession: HasSession): void {
  server.get('/desk', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (!(await hasSession(request))) return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    return reply
      .headers({ 'content-security-policy': DESK_POLICY, 'content-type': 'text/html; charset=utf-8' })
      .send(deskDocument(environment, environment.clock()))
  })
}
