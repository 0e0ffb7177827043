import type { FastifyInstance } from 'fastify'
import type { Environment, Phase } from '../services.ts'

/** After this long without reading the log, the archive may miss events. */
const BEHIND_AFTER_MS = 10_000

export function healthRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  // Not counted: a probe must not be refused because of what others at its address do.
  const options = { config: { countedByAddress: false } } as const
  server.get('/healthz', options, () => ({ status: 'ok', version: environment.version }))

  // Ready means able to serve reads, even while the database cannot be reached: removing every node
  // from the load balancer would replace a stale map by none.
  server.get('/readyz', options, (_request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') return reply.status(503).header('retry-after', '2').send({ status: 'starting' })
    const { archive, caughtUpAt } = current.services
    const behind = Math.max(0, environment.clock() - caughtUpAt())
    return reply.send({
      status: behind > BEHIND_AFTER_MS ? 'behind' : 'ready',
      incidents: archive.size,
      seq: archive.head.seq,
      behind_seconds: Math.round(behind / 1000),
    })
  })
}
