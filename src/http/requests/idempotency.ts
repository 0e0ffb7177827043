import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { type Phase, requireServices } from '../services.ts'
import { decrypt, encrypt } from './encryption.ts'

const KEPT_FOR = 24 * 3_600_000
/** A claim older than this was left behind by a process that died: no request takes so long. */
const LOST_AFTER = 60_000
const SHAPE = /^[\x21-\x7e]{1,255}$/

interface Remembered {
  readonly status: number
  readonly body: unknown
}

/** Runs `work` once for each `Idempotency-Key` of a caller, and gives repeats the first answer. Without the header, just runs it. */
export async function runIdempotent(
  phase: Phase,
  clock: () => number,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => unknown,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return work()
  if (typeof header !== 'string' || !SHAPE.test(header)) {
    throw new Problem(
      'malformed_request',
      'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces, as a UUID.',
    )
  }
  // Strangers are told apart by address, so that nobody is handed another's key for having picked the same word.
  const secret = `${request.caller?.account.id ?? `address ${request.ip}`} ${header}`
  const id = hash('sha256', secret, 'hex')
  const fingerprint = hash('sha256', `${request.method} ${request.raw.url} ${JSON.stringify(request.body)}`, 'hex')
  const { idempotency } = requireServices(phase).store
  const now = clock()
  const claim = await idempotency.claim(id, fingerprint, now, now - KEPT_FOR, now - LOST_AFTER)
  if (claim.state !== 'claimed' && claim.fingerprint !== fingerprint) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a request with another path or body. Take a new one.',
    )
  }
  if (claim.state === 'running') {
    throw new Problem('idempotency_key_in_use', 'The request with this Idempotency-Key is still running.', {
      headers: { 'retry-after': '1' },
    })
  }
  if (claim.state === 'finished') {
    const { status, body } = JSON.parse(decrypt(claim.answer, secret)) as Remembered
    reply.status(status).header('idempotent-replayed', 'true')
    return body
  }
  return finish()

  async function finish(): Promise<unknown> {
    let body: unknown
    try {
      body = await work()
    } catch (error) {
      // Refused: nothing was done, so the key is free for a corrected request.
      await idempotency.abandon(id)
      throw error
    }
    const remembered: Remembered = { status: reply.statusCode, body }
    await idempotency.finish(id, encrypt(JSON.stringify(remembered), secret)).catch((error: unknown) => {
      // It has been done, and the client must hear so; only a repeat would not be recognised.
      request.log.warn({ err: error }, 'an idempotent answer could not be kept')
    })
    return body
  }
}
