import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import { type Allowance, RateLimiter, SharedRateLimiter } from '../../accounts/rate-limiter.ts'
import type { Config, SettingName } from '../../config/settings.ts'
import type { Account, LimitName } from '../../domain/accounts.ts'
import { Problem } from '../../domain/errors.ts'
import { clientNetwork, parseAddress } from '../../lib/network.ts'
import { ConnectionLimit, type SubjectBounds } from '../../streams/stream-connection.ts'
import { addressSubject, rawAddressSubject } from '../request.ts'
import { type Environment, type Phase, servicesIfReady } from '../services.ts'

/** The setting with the default of each limit of an account. */
const DEFAULTS = {
  requests_per_minute: 'RATE_LIMIT',
  publishable_requests_per_minute: 'RATE_LIMIT_PUBLISHABLE_TOTAL',
  keys: 'KEYS_PER_ACCOUNT',
  watches: 'WATCHES_PER_ACCOUNT',
  areas: 'AREAS_PER_ACCOUNT',
  site_lists: 'SITE_LISTS_PER_ACCOUNT',
  streams: 'STREAMS_PER_ACCOUNT',
  watch_tests_per_minute: 'WATCH_TESTS_PER_MINUTE',
  previews_per_minute: 'PREVIEWS_PER_MINUTE',
  site_uploads_per_minute: 'SITE_UPLOADS_PER_MINUTE',
} as const satisfies Record<LimitName, SettingName>

/** Limits that are counted in windows of a minute. */
export const MINUTE_LIMITS = [
  'requests_per_minute',
  'publishable_requests_per_minute',
  'watch_tests_per_minute',
  'previews_per_minute',
  'site_uploads_per_minute',
] as const satisfies readonly LimitName[]
export type MinuteLimit = (typeof MINUTE_LIMITS)[number]

export function limitOf(config: Config, account: Pick<Account, 'limits'>, name: LimitName): number {
  return account.limits[name] ?? config[DEFAULTS[name]]
}

/** Requests per minute of one client address with a publishable key. */
export function addressLimitOf(config: Config, { key }: KeyHolder): number {
  return key.ratePerMinute ?? config.RATE_LIMIT_PUBLISHABLE
}

/** A refused request with the limit that it reached, or what is left of the nearest limit. */
export interface CountedRequest extends Allowance {
  readonly limit: number
  /** Says whose limit it is, for the error. */
  readonly subject: 'account' | 'address' | 'publishable keys'
}

/**
 * Counts requests for the account, over all its keys and all nodes. A publishable key is public, so
 * each client address counts alone, and all of them together have a limit apart from the account's
 * live keys: who finds a publishable key cannot use up what the account itself needs.
 */
export class AccountQuotas {
  readonly connections: ConnectionLimit
  readonly #config: Config
  readonly #limiter: SharedRateLimiter

  constructor({ config, clock, runtime }: Environment, currentPhase: () => Phase) {
    this.#config = config
    this.connections = new ConnectionLimit(config.STREAMS)
    this.#limiter = new SharedRateLimiter({
      clock,
      runtime,
      store: () => servicesIfReady(currentPhase())?.store ?? null,
    })
  }

  /** Returns without a promise if this node holds quota, or knows that none is left. */
  countRequest(
    holder: KeyHolder,
    request: Pick<FastifyRequest, 'clientAddress'>,
  ): CountedRequest | Promise<CountedRequest> {
    const { account, key } = holder
    if (key.kind === 'publishable') return this.#countPublishable(holder, addressSubject(request))
    // Apart from keys: a person at the desk must not stop the account's programs, nor they the
    // person.
    const isSession = key.kind === 'session'
    const limit = isSession ? this.#config.RATE_LIMIT_SESSION : limitOf(this.#config, account, 'requests_per_minute')
    const subject = isSession ? `${account.id} sessions` : account.id
    const allowance = this.#limiter.consume(subject, limit)
    return allowance instanceof Promise
      ? allowance.then((granted) => countedFor('account', limit, granted))
      : countedFor('account', limit, allowance)
  }

  countUse({ account }: KeyHolder, name: MinuteLimit): Allowance | Promise<Allowance> {
    return this.#limiter.consume(subjectOf(account.id, name), limitOf(this.#config, account, name))
  }

  /**
   * The streams that a new one counts with. Publishable keys of one account take at most half of
   * the node's: who finds one cannot lock out the other accounts.
   */
  streamBounds({ account, key }: KeyHolder, address: string): SubjectBounds {
    const max = limitOf(this.#config, account, 'streams')
    if (key.kind !== 'publishable') return [{ subject: account.id, max }]
    const half = Math.max(max, Math.floor(this.#config.STREAMS / 2))
    return [
      { subject: `${key.id} ${address}`, max },
      { subject: `${account.id} publishable`, max: half },
    ]
  }

  async usedOf(account: Account, name: MinuteLimit): Promise<number> {
    const limit = limitOf(this.#config, account, name)
    return Math.max(0, limit - (await this.#limiter.remaining(subjectOf(account.id, name), limit)))
  }

  async usedByAddress(holder: KeyHolder, address: string): Promise<number> {
    const limit = addressLimitOf(this.#config, holder)
    return Math.max(0, limit - (await this.#limiter.remaining(`${holder.key.id} ${address}`, limit)))
  }

  /** The address first: one address cannot use up the total of all. */
  #countPublishable(holder: KeyHolder, address: string): CountedRequest | Promise<CountedRequest> {
    const { account, key } = holder
    const limit = addressLimitOf(this.#config, holder)
    return then(
      this.#limiter.consume(`${key.id} ${address}`, limit),
      (own): CountedRequest | Promise<CountedRequest> => {
        const counted = countedFor('address', limit, own)
        if (!own.allowed) return counted
        const most = limitOf(this.#config, account, 'publishable_requests_per_minute')
        const total = this.#limiter.consume(subjectOf(account.id, 'publishable_requests_per_minute'), most)
        return then(total, (all) => (all.allowed ? counted : countedFor('publishable keys', most, all)))
      },
    )
  }
}

/** By name: copying an object whole costs five times as much. */
function countedFor(
  subject: CountedRequest['subject'],
  limit: number,
  { allowed, remaining, resetsIn }: Allowance,
): CountedRequest {
  return { allowed, remaining, resetsIn, limit, subject }
}

function subjectOf(accountId: string, name: MinuteLimit): string {
  return name === 'requests_per_minute' ? accountId : `${accountId} ${name}`
}

/** Applies `next` at once unless the value is a promise: most requests must not wait a turn. */
export function then<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * False for routes that are so cheap that probes must never be refused, or count themselves.
     */
    countedByAddress?: false
    /** Whether a method that usually writes only reads here. */
    readsOnly?: boolean
    /** The media types that the route takes besides JSON. */
    otherBodies?: readonly string[]
  }
}

/** RATE_LIMIT_ADDRESS: every answer without a key counts for the client's address on this node. */
export class AddressLimit {
  readonly #environment: Environment
  readonly #limiter = new RateLimiter()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Adds the RateLimit headers to the answer. Returns a problem if the limit is used up. */
  countRequest(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    const limit = this.#limit
    const { allowed, remaining, resetsIn } = this.#consume(this.#subjectOf(request))
    reply.header('ratelimit-policy', `"address";q=${limit};w=60`)
    reply.header('ratelimit', `"address";r=${remaining};t=${resetsIn}`)
    if (allowed) return undefined
    return new Problem(
      'rate_limited',
      `One address may make ${limit} requests a minute without a key. Try again in ${resetsIn} s, or use a key.`,
      // Answers without a key are public, so a web page may read why it gets none.
      { headers: { 'retry-after': String(resetsIn), 'access-control-allow-origin': '*' } },
    )
  }

  /**
   * For connections whose bytes never became a request. Returns whether they may be answered.
   * Behind a proxy, nobody knows whose bytes they were.
   */
  countSocket({ remoteAddress = '' }: Socket): boolean {
    const address = parseAddress(remoteAddress) ?? remoteAddress
    return this.#environment.config.TRUST_PROXY(address, 0) || this.#consume(clientNetwork(address)).allowed
  }

  isExhausted(request: FastifyRequest): boolean {
    return this.#limiter.isExhausted(this.#subjectOf(request), this.#limit, this.#environment.clock())
  }

  get #limit(): number {
    return this.#environment.config.RATE_LIMIT_ADDRESS
  }

  #subjectOf({ raw }: FastifyRequest): string {
    return rawAddressSubject(raw, this.#environment.config.TRUST_PROXY)
  }

  #consume(subject: string): Allowance {
    return this.#limiter.consume(subject, this.#limit, this.#environment.clock())
  }
}

/**
 * Counts every route that does not opt out. Call before registering routes. Unknown paths have no
 * route: the hook for all requests counts them.
 */
export function countRequestsByAddress(server: FastifyInstance, limit: AddressLimit): void {
  const count = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    done(limit.countRequest(request, reply))
  server.addHook('onRoute', (route) => {
    if (route.config?.countedByAddress === false) return
    const own = [route.onRequest ?? []].flat()
    // Fastify derives a HEAD route from the options of the GET route, which count already.
    if (!own.includes(count)) route.onRequest = [count, ...own]
  })
}

export function rateLimited(sentence: string, resetsIn: number): Problem {
  return new Problem('rate_limited', `${sentence} Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}
