import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../domain/errors.ts'
import type { Authenticator } from '../../auth/authenticator.ts'
import { addressSubject } from '../../requests/client-address.ts'

/** What a stream counts for first, by the kind of its key. */
const BOUNDED = { live: 'account', session: 'account', publishable: 'address with this key' } as const

/** Counts a stream for its account; returns what to call when it ends. */
export function acquireStream(request: FastifyRequest, { quotas }: Authenticator): () => void {
  const { connections } = quotas
  const bounds = quotas.streamBounds(request.caller!, addressSubject(request))
  const result = connections.acquire(bounds)
  if (result === 'all full') {
    throw new Problem('streams_full', 'This node has the maximum number of open streams.', {
      headers: { 'retry-after': '10' },
    })
  }
  if (result !== 'taken') {
    const { max } = bounds.find(({ subject }) => subject === result.full)!
    const whose = result.full === bounds[0]!.subject ? BOUNDED[request.caller!.key.kind] : 'publishable keys together'
    throw new Problem(
      'too_many_streams',
      `There are ${max} open streams of your ${whose} on this node, which is the maximum. Close one first.`,
    )
  }
  return () => connections.release(bounds)
}
