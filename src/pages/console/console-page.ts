import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../api/services.ts'
import { APP_POLICY } from '../app-policy.ts'
import { findSession } from '../sign-in/find-session.ts'
import { consoleDocument } from './document.ts'

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': APP_POLICY,
  'content-type': 'text/html; charset=utf-8',
}

/** Serves the console to everybody: whoever has no session gets a key there. */
export function consolePage(
  server: FastifyInstance,
  environment: Environment,
  hasSession: (request: FastifyRequest) => Promise<boolean>,
): void {
  server.get('/console', async (request, reply) => {
    const session = await findSession(request, hasSession)
    return reply.headers(HEADERS).send(consoleDocument(environment, session, environment.clock()))
  })
}
