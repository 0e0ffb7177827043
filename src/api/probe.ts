import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newTipSecret } from '../desk/tips/challenges.ts'
import { parseAddress } from '../lib/network.ts'
import type { Store } from '../store/store.ts'
import { type Environment, type Phase, requireServices } from './services.ts'

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

export const PROBE_PATH = '/healthz/probe'
export const PROBE_HEADER = 'incident-feed-probe'

/** A request is valid for so long before and after its time. */
const VALID_MS = 5 * 60_000
const TOKEN = /^(\d{13})\.([\w-]{22})\.([\w-]{43})$/

export interface ProbeAnswer {
  /** The address that limits count. */
  readonly client_address: string
  /** The address of the other end of the connection. */
  readonly connection_address: string
  readonly connection_is_trusted: boolean
  /** X-Forwarded-For as it arrived. */
  readonly forwarded_for: string | null
  /** Shows that the answer comes from a service with the same database. */
  readonly proof: string
}

/** `nonce`: 16 random bytes as base64url. */
export function signProbe(secret: string, now: number, nonce: string): string {
  return `${now}.${nonce}.${signatureOf(secret, 'request', `${now}.${nonce}`)}`
}

/** Returns the proof for the answer; null if the token is not signed with this secret, or old. */
export function proofFor(secret: string, token: string, now: number): string | null {
  const [, time, nonce, signature] = TOKEN.exec(token) ?? []
  if (time === undefined || Math.abs(Number(time) - now) > VALID_MS) return null
  const expected = signatureOf(secret, 'request', `${time}.${nonce}`)
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature!))) return null
  return signatureOf(secret, 'answer', token)
}

/** The purpose keeps this use of the secret apart from all others. */
function signatureOf(secret: string, purpose: 'request' | 'answer', text: string): string {
  return createHmac('sha256', secret).update(`incident-feed probe ${purpose}\n${text}`).digest('base64url')
}
