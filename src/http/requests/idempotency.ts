import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { type Phase, requireServices } from '../services.ts'
import { addressSubject } from './client-address.ts'
import { decrypt, encrypt } from './encryption.ts'

const RETENTION_MS = 24 * 3_600_000
/** An older claim belongs to a dead process: no request takes this long. */
const CLAIM_TIMEOUT_MS = 60_000
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/

interface StoredResponse {
  readonly status: number
  readonly body: unknown
}

/**
 * Runs `work` once per caller and `Idempotency-Key`; repeats get the first response. Without the
 * header, `work` runs every time.
 */
export async function runIdempotent(
  phase: Phase,
  clock: () => number,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => unknown,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return work()
  if (typeof header !== 'string' || !KEY_PATTERN.test(header)) {
    throw new Problem(
      'malformed_request',
      'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces, as a UUID.',
    )
  }
  // Callers without a key differ by address, so that nobody gets another's API key by using the
  // same Idempotency-Key.
  const secret = `${request.caller?.account.id ?? `address ${addressSubject(request)}`} ${header}`
  const id = hash('sha256', secret, 'hex')
  const fingerprint = hash('sha256', `${request.method} ${request.raw.url} ${JSON.stringify(request.body)}`, 'hex')
  const { idempotency } = requireServices(phase).store
  const now = clock()
  const claim = await idempotency.claim(id, fingerprint, now, now - RETENTION_MS, now - CLAIM_TIMEOUT_MS)
  if (claim.state !== 'claimed' && claim.fingerprint !== fingerprint) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a request with another path or body. Use a new one.',
    )
  }
  if (claim.state === 'running') {
    throw new Problem('idempotency_key_in_use', 'The request with this Idempotency-Key is still running.', {
      headers: { 'retry-after': '1' },
    })
  }
  if (claim.state === 'finished') {
    const { status, body } = JSON.parse(decrypt(claim.answer, secret)) as StoredResponse
    reply.status(status).header('idempotent-replayed', 'true')
    return body
  }
  return finish()

  async function finish(): Promise<unknown> {
    let body: unknown
    try {
      body = await work()
    } catch (error) {
      // The refused request did nothing, so a corrected one may use the key.
      await idempotency.abandon(id)
      throw error
    }
    const response: StoredResponse = { status: reply.statusCode, body }
    await idempotency.finish(id, encrypt(JSON.stringify(response), secret)).catch((error: unknown) => {
      // The work is done and the client must get the response; only a repeat goes unrecognised.
      request.log.warn({ err: error }, 'an idempotent response could not be stored')
    })
    return body
  }
}
