import type { FastifyInstance } from 'fastify'
import type { Environment, Phase } from '../services.ts'

/** Longer than this without a look at the log, and the feed may be missing something. */
const BEHIND_AFTER = 10_000

export function healthRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  server.get('/healthz', () => ({ status: 'ok', version: environment.version }))

  // Ready means able to answer reads. A database that is away does not make it unready: taking every node out of the
  // balancer would turn a stale map into none.
  server.get('/readyz', (_request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') return reply.status(503).header('retry-after', '2').send({ status: 'starting' })
    const { archive, caughtUpAt } = current.services
    const behind = Math.max(0, environment.clock() - caughtUpAt())
    return reply.send({
      status: behind > BEHIND_AFTER ? 'behind' : 'ready',
      incidents: archive.size,
      seq: archive.head.seq,
      behind_seconds: Math.round(behind / 1000),
    })
  })
}
