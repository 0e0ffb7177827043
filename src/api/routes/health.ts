import type { FastifyInstance, FastifyRequest } from 'fastify'
import { queryOf } from '../requests/parameters.ts'
import type { Environment, Phase } from '../services.ts'

export function healthRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  // Not counted: a probe must not be refused because of what others at its address do.
  const options = { config: { countedByAddress: false } } as const
  server.get('/healthz', options, () => ({ status: 'ok', version: environment.version }))

  // Without its database a node serves reads from memory, which grow old: after `READY_MAX_BEHIND`
  // it is not ready. A load balancer that would then have no node left can ask for less.
  server.get('/readyz', options, (request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') return reply.status(503).header('retry-after', '2').send({ status: 'starting' })
    const { archive, freshness } = current.services
    const behindSeconds = Math.floor(freshness.behindMs / 1000)
    const maxSeconds = maxBehindIn(request) ?? environment.config.READY_MAX_BEHIND
    const details = {
      incidents: archive.size,
      seq: archive.head.seq,
      in_step_at: freshness.inStepAt,
      behind_seconds: behindSeconds,
    }
    if (behindSeconds <= maxSeconds)
      return reply.send({ status: freshness.staleSeconds === null ? 'ready' : 'behind', ...details })
    const reason = `This node could not read the log for ${behindSeconds} s; at most ${maxSeconds} s are allowed.`
    return reply
      .status(503)
      .header('retry-after', '2')
      .send({ status: 'behind', reason, ...details })
  })
}

/**
 * `?max_behind=<seconds>` replaces the setting for one load balancer; null if absent or invalid.
 */
function maxBehindIn(request: FastifyRequest): number | null {
  const [text, ...more] = new URLSearchParams(queryOf(request)).getAll('max_behind')
  return text !== undefined && more.length === 0 && /^\d{1,9}$/.test(text) ? Number(text) : null
}
