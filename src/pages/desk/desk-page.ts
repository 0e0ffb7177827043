import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment, Phase } from '../../api/services.ts'
import { APP_POLICY } from '../app-policy.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { deskDocument } from './document.ts'

/** Whether the request comes with a session that is valid. */
export type HasSession = (request: FastifyRequest) => Promise<boolean>

/** Serves the desk to people with a session; everybody else is sent to sign in first. */
export function deskPage(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  hasSession: HasSession,
): void {
  server.get('/desk', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (currentPhase().phase === 'starting') return sendStarting(reply)
    if (!(await hasSession(request))) return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    return reply
      .headers({ 'content-security-policy': APP_POLICY, 'content-type': 'text/html; charset=utf-8' })
      .send(deskDocument(environment, environment.clock()))
  })
}

const RETRY_AFTER_SECONDS = '2'

/** The `refresh` header makes the browser retry. */
function sendStarting(reply: FastifyReply): FastifyReply {
  reply.status(503).headers({ 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS })
  const body = html`<h1>The desk is starting</h1><p>It opens here by itself.</p>`
  return sendPage(reply, { title: 'Desk · Incident Feed', description: 'The desk of Incident Feed.', body })
}
