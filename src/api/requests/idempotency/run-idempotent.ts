import { hash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_BOUNDS, ADDRESS_BOUNDS, type AnswerTrimmer } from '../../../accounts/quotas/idempotency-bounds.ts'
import { Problem } from '../../../domain/errors.ts'
import { ClaimLost, type IdempotencyBounds, type Store } from '../../../store/store.ts'
import { addressSubject } from '../client-address.ts'
import { answerOf, decodeAnswer, encodeAnswer, sendAnswer } from './answer.ts'
import { plainWrites, RequestClaim, type RequestWrites } from './request-claim.ts'

const RETENTION_MS = 24 * 3_600_000
/**
 * Another request may take over after this time. A holder that was only slow cannot write any more,
 * so the time can be short: it is what a client waits for after a crash.
 */
const CLAIM_TIMEOUT_MS = 5_000
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/

export interface IdempotencyParts {
  /** Throws a `Problem` until the database is open. */
  readonly store: () => Store
  readonly clock: () => number
  readonly trimmer: AnswerTrimmer
}

/**
 * Runs `work` once per caller and `Idempotency-Key`; repeats get the first answer. Without the
 * header, `work` runs every time.
 */
export async function runIdempotent(
  { store: openStore, clock, trimmer }: IdempotencyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (writes: RequestWrites) => unknown,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return work(plainWrites(openStore))
  const store = openStore()
  const { subject, bounds, secret, rights } = callerOf(request, checkedKey(header))
  const fingerprint = hash('sha256', `${request.method} ${request.raw.url} ${JSON.stringify(request.body)}`, 'hex')
  const holder = { id: hash('sha256', secret, 'hex'), token: randomUUID() }
  const now = clock()
  const claim = await store.idempotency.claim(
    { ...holder, subject, fingerprint, rights },
    {
      now,
      expiredBefore: now - RETENTION_MS,
      lostBefore: now - CLAIM_TIMEOUT_MS,
      // Made by a clock that is ahead, or before ours was set back.
      lostAfter: now + CLAIM_TIMEOUT_MS,
    },
  )
  if (claim.state !== 'claimed' && (claim.fingerprint !== fingerprint || (claim.rights ?? rights) !== rights)) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a request with another path or body, or with a key of other rights. Use a new one.',
    )
  }
  if (claim.state === 'running') throw stillRunning('The request with this Idempotency-Key is still running.')
  if (claim.state === 'redacted')
    throw new Problem(
      'answer_redacted',
      'The request was carried out. Its answer was removed, because an incident in it has been redacted since; read the incident again.',
    )
  if (claim.state === 'finished') {
    reply.header('idempotent-replayed', 'true')
    return sendAnswer(reply, decodeAnswer(claim.answer, secret))
  }
  const held = new RequestClaim(holder, claim.counts, store, secret, clock)
  const body = await runClaimed(held)
  const bytes = held.storedBytes ?? (await finish(body))
  await trimmer.countAnswer(store.idempotency, subject, bounds, bytes).catch((error: unknown) => {
    request.log.warn({ err: error }, 'old idempotent answers could not be deleted')
  })
  return body

  async function runClaimed(held: RequestClaim): Promise<unknown> {
    try {
      return await work(held)
    } catch (error) {
      if (error instanceof ClaimLost)
        throw stillRunning('The request took so long that a repetition of it has taken over. Repeat it for the answer.')
      // The refused request did nothing, so a corrected one may use the key. If the write did
      // happen and only its reply was lost, its answer is stored, and stays.
      await store.idempotency.abandon(holder).catch((failure: unknown) => {
        request.log.warn({ err: failure }, 'an idempotency key could not be released; it will be in seconds')
      })
      throw error
    }
  }

  /** For requests that write nothing, or send a mail: the answer is stored afterwards. */
  async function finish(body: unknown): Promise<number> {
    const { answer, mentions } = encodeAnswer(answerOf(reply, body), secret)
    await store.idempotency.finish(holder, answer, mentions).catch((error: unknown) => {
      // The client must get the response; only a repeat goes unrecognised.
      request.log.warn({ err: error }, 'an idempotent answer could not be stored')
    })
    return answer.byteLength
  }
}

interface IdempotentCaller {
  /** Answers count for it. */
  readonly subject: string
  readonly bounds: IdempotencyBounds
  /** Nobody else can choose the same: it identifies and encrypts the answer. */
  readonly secret: string
  readonly rights: string
}

/**
 * Keys of one account share their idempotency keys if they have the same rights. Callers without a
 * key, or with a publishable one, which everybody can have, differ by address and count for it.
 */
function callerOf(request: FastifyRequest, idempotencyKey: string): IdempotentCaller {
  const { caller } = request
  const isPublic = caller === null || caller.key.kind === 'publishable'
  const owner = caller?.account.id ?? 'address'
  const subject = isPublic ? `${owner} ${addressSubject(request)}` : owner
  return {
    subject,
    bounds: isPublic ? ADDRESS_BOUNDS : ACCOUNT_BOUNDS,
    secret: `${subject} ${idempotencyKey}`,
    rights: caller === null ? '' : `${caller.key.kind} ${caller.key.scopes.toSorted().join(' ')}`,
  }
}

function checkedKey(header: string | string[]): string {
  if (typeof header === 'string' && KEY_PATTERN.test(header)) return header
  throw new Problem(
    'malformed_request',
    'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces, as a UUID.',
  )
}

function stillRunning(detail: string): Problem {
  return new Problem('idempotency_key_in_use', detail, { headers: { 'retry-after': '1' } })
}
