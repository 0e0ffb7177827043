import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ServiceStatus as Status } from '../../client/src/generated/types.ts'
import { isOutdated } from '../deliveries/heartbeat.ts'
import { newTipSecret } from '../desk/tips/challenges.ts'
import { SOURCE_STATUSES } from '../domain/sources.ts'
import { CachedReading } from '../lib/concurrency.ts'
import { parseAddress } from '../lib/network.ts'
import type { Store } from '../store/store.ts'
import { COMMIT, SCHEMA } from '../version.ts'
import { type Caching, STATUS_MAX_AGE_SECONDS } from './caching.ts'
import { endpoint, ok } from './contract/endpoint.ts'
import { Count, NamedObject, Nullable, OneOf, Time } from './contract/schema.ts'
import type { StoreReadings } from './metrics.ts'
import { queryOf } from './request.ts'
import { CachedBody, sendBytes, timeResponse } from './response.ts'
import type { Router } from './router.ts'
import { type Environment, outdatedReason, type Phase, requireServices, type Services } from './services.ts'

const seconds = (description: string) => Nullable(Type.Number({ minimum: 0, description }))
const sourceCount = Type.Integer({ minimum: 0 })

export const ServiceStatus = NamedObject('ServiceStatus', {
  status: OneOf(['ok', 'behind'], '`behind` if the answering node has not read the log for more than 5 seconds.'),
  at: Time('When the status was written; it is up to 10 seconds old.'),
  in_step_since: Nullable(
    Time('Since when the node has been in step with the log without a break; null while it is not.'),
  ),
  in_step_at: Time('When the node was last in step with the log.'),
  last_confirmed_at: Nullable(Time('When the newest public incident was published; null if there is none.')),
  incidents_24h: Count('Public incidents that were published in the last 24 hours.'),
  deliveries_24h: Nullable(
    Type.Object(
      {
        measured: Count('The number of deliveries that were measured.'),
        p50_seconds: seconds('Half of them took no longer.'),
        p99_seconds: seconds('99 of 100 took no longer.'),
      },
      {
        description:
          'From the confirmation to the answer of the endpoint, for webhooks of the last 24 hours that succeeded at the first attempt, up to the latest 1,000. Null while the database cannot be reached.',
      },
    ),
  ),
  sources: Nullable(
    Type.Object(Object.fromEntries(SOURCE_STATUSES.map((status) => [status, sourceCount])), {
      description: 'The number of news sources by health. Null while the database cannot be reached.',
    }),
  ),
})

const readStatus = endpoint('readStatus', 'GET /v1/status', {
  tag: 'Service',
  summary: 'The state of the service',
  description: 'For status pages and monitors. It is the same for everybody; the page `/status` shows it to people.',
  scope: null,
  requestHeaders: ['If-None-Match'],
  response: ok('The state.', Type.Ref('ServiceStatus')),
})

const DAY_MS = 24 * 3_600_000
const CACHING: Caching = { kind: 'status', vary: 'Accept-Encoding' }

export function statusRoutes(router: Router, read: ReadStatus): void {
  let written: { readonly status: Status; readonly body: CachedBody } | null = null
  router.add(readStatus, async ({ request, reply }) => {
    const status = await read()
    if (written?.status !== status) written = { status, body: new CachedBody(Buffer.from(JSON.stringify(status))) }
    return sendBytes(request, reply, written.body, 'application/json; charset=utf-8', CACHING)
  })
}

export function healthRoutes(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  // Not counted: a probe must not be refused because of what others at its address do.
  const options = { config: { countedByAddress: false } } as const
  server.get('/healthz', options, () => ({
    status: 'ok',
    version: environment.version,
    commit: COMMIT,
    schema: SCHEMA,
  }))

  // Without its database a node serves reads from memory, which grow old: after `READY_MAX_BEHIND`
  // it is not ready. A load balancer that would then have no node left can ask for less.
  server.get('/readyz', options, (request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') {
      const { reason } = current
      const { lostEvents } = environment
      const details = { ...(reason && { reason }), ...(lostEvents > 0 && { lost_events: lostEvents }) }
      return reply
        .status(503)
        .header('retry-after', '2')
        .send({ status: 'starting', ...details })
    }
    const { archive, freshness } = current.services
    const schemas = current.services.schemas()
    const behindSeconds = Math.floor(freshness.behindMs / 1000)
    const maxSeconds = maxBehindIn(request) ?? environment.config.READY_MAX_BEHIND
    const details = {
      incidents: archive.size,
      seq: archive.head.seq,
      in_step_at: freshness.inStepAt,
      behind_seconds: behindSeconds,
      schema: schemas.database.version,
    }
    if (current.phase === 'draining')
      return reply.status(503).send({ status: 'stopping', reason: 'This node is about to stop.', ...details })
    // Before there is a newer node, one that can only read is better than none.
    if (isOutdated(schemas) && schemas.newest > schemas.own)
      return reply.status(503).send({ status: 'outdated', reason: `${outdatedReason(schemas)}.`, ...details })
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

/** Returns the status, written at most once in `STATUS_MAX_AGE_SECONDS`. */
export type ReadStatus = () => Promise<Status>

export function statusReader(environment: Environment, currentPhase: () => Phase, readings: StoreReadings): ReadStatus {
  const cached = new CachedReading(
    () => writeStatus(requireServices(currentPhase()), readings, environment.clock()),
    STATUS_MAX_AGE_SECONDS * 1000,
    environment.runtime.elapsed,
  )
  return async () => {
    // Before the services are ready there is nothing to keep.
    requireServices(currentPhase())
    return cached.get()
  }
}

async function writeStatus(services: Services, readings: StoreReadings, now: number): Promise<Status> {
  const { archive, freshness } = services
  const [latencies, sources] = await Promise.all([readings.deliveryLatencies(), readings.sources()])
  const newest = archive.newestPublishedAt
  const { inStepSince, inStepAt } = freshness
  return {
    status: inStepSince === null ? 'behind' : 'ok',
    at: timeResponse(now),
    in_step_since: inStepSince,
    in_step_at: inStepAt,
    last_confirmed_at: timeResponse(newest),
    incidents_24h: archive.countSince(now - DAY_MS),
    deliveries_24h: latencies && {
      measured: latencies.length,
      p50_seconds: percentile(latencies, 0.5),
      p99_seconds: percentile(latencies, 0.99),
    },
    sources,
  }
}

/** By nearest rank, in seconds; null without values. */
function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null
  return sorted[Math.ceil(sorted.length * share) - 1]! / 1000
}

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
  readonly connection_address: string
  readonly connection_is_trusted: boolean
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
