import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newTipSecret } from '../../../desk/tips/challenges.ts'
import { parseAddress } from '../../../lib/network.ts'
import type { Store } from '../../../store/store.ts'
import { type Environment, type Phase, requireServices } from '../../services.ts'
import { PROBE_HEADER, PROBE_PATH, type ProbeAnswer, proofFor } from './probe-signature.ts'

/** Answers `incident-feed doctor`. Counted by address as every path without a key. */
export function probeRoutes(
  server: FastifyInstance,
  { config, clock }: Pick<Environment, 'config' | 'clock'>,
  currentPhase: () => Phase,
): void {
  let known: { readonly store: Store; readonly secret: string } | null = null

  server.get(PROBE_PATH, async (request, reply) => {
    const token = request.headers[PROBE_HEADER]
    if (typeof token !== 'string') return reply.callNotFound()
    const proof = proofFor(await secretOf(requireServices(currentPhase()).store), token, clock())
    if (proof === null) return reply.callNotFound()
    return reply.header('cache-control', 'no-store').send(answerTo(request, proof))
  })

  /** Read once: a stranger who sends tokens causes no reads of the database. */
  async function secretOf(store: Store): Promise<string> {
    if (known?.store !== store) known = { store, secret: await store.tips.secret(newTipSecret()) }
    return known.secret
  }

  function answerTo(request: FastifyRequest, proof: string): ProbeAnswer {
    const connection = parseAddress(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
    return {
      client_address: request.clientAddress,
      connection_address: connection,
      connection_is_trusted: config.TRUST_PROXY(connection, 0),
      forwarded_for: request.headers['x-forwarded-for']?.toString() ?? null,
      proof,
    }
  }
}
