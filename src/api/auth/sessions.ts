import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyCache, KeyHolder } from '../../accounts/key-cache.ts'
import { hashSecret } from '../../accounts/keys.ts'
import { SESSION_LIFETIME_MS, type Session, sessionAsKey } from '../../domain/accounts.ts'
import { Problem } from '../../domain/errors.ts'
import { keyState } from '../../domain/keys.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { Keys, Sessions } from '../../store/store.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Environment, type Phase, requireServices } from '../services.ts'
import { type AddressLimit, then } from './quotas.ts'

interface Parts {
  readonly environment: Environment
  readonly currentPhase: () => Phase
  readonly addresses: AddressLimit
  readonly cache: KeyCache
  readonly keyHolders: KeyLookUp
}

/** Finds the holder of a hashed secret; throws 429 for an address without requests left. */
interface KeyLookUp {
  lookUp(
    request: FastifyRequest,
    reply: FastifyReply,
    hashed: string,
    source: () => Pick<Keys, 'findByHash'>,
  ): KeyHolder | null | Promise<KeyHolder | null>
}

/**
 * Finds who is signed in by the cookie of a session, and whether a page of this service sent it.
 */
export class SessionHolders {
  readonly cookie: SessionCookie
  readonly #parts: Parts
  readonly #use = new SessionUse()

  constructor(parts: Parts) {
    this.#parts = parts
    this.cookie = new SessionCookie(parts.environment.config.PUBLIC_URL)
  }

  /**
   * Null if the cookie counts for nothing: another site's page sent it with a reading request, or
   * the endpoint needs nobody and the session is over.
   */
  find(
    request: FastifyRequest,
    reply: FastifyReply,
    { method, scope }: Pick<Endpoint, 'method' | 'scope'>,
    secret: string,
  ): KeyHolder | null | Promise<KeyHolder | null> {
    const { addresses, keyHolders, environment } = this.#parts
    if (this.isCrossOrigin(request) && (method === 'GET' || scope === null)) return null
    if (method !== 'GET' && !isSameOrigin(request, environment.config.PUBLIC_URL)) {
      if (scope === null) return null
      const refused = new Problem(
        'cross_origin_request',
        'A session can change things only from the pages of this service: Sec-Fetch-Site must be same-origin, or Origin must be its own. Programs use a key.',
      )
      throw addresses.countRequest(request, reply) ?? refused
    }
    return then(keyHolders.lookUp(request, reply, hashSecret(secret), this.#stored), (holder) => {
      const isOpen = holder !== null && keyState(holder.key, environment.clock()) === 'valid'
      const isBlocked = holder?.account.status === 'blocked'
      if (isOpen && holder.account.status === 'active') return this.#useOf(request, reply, holder)
      this.cookie.clear(reply)
      if (scope === null) return null
      const ended = isBlocked
        ? new Problem('account_blocked', 'The account is blocked.')
        : new Problem('session_ended', 'Your session has ended: sign in again.')
      throw addresses.countRequest(request, reply) ?? ended
    })
  }

  async isSignedIn(request: FastifyRequest): Promise<boolean> {
    const { cache, environment } = this.#parts
    const secret = this.cookie.read(request)
    if (secret === null) return false
    const hashed = hashSecret(secret)
    const known = cache.peek(hashed)
    const holder = known === undefined ? await cache.find(hashed, this.#stored) : known
    if (holder === null || holder.account.status !== 'active') return false
    return keyState(holder.key, environment.clock()) === 'valid'
  }

  /** Forgets sessions, so that what ended them holds here at once. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#parts.cache.forget(hash)
  }

  isCrossOrigin(request: FastifyRequest): boolean {
    return isCrossOrigin(request, this.#parts.environment.config.PUBLIC_URL)
  }

  readonly #stored = () => sessionsAsKeys(requireServices(this.#parts.currentPhase()).store.sessions)

  #useOf(request: FastifyRequest, reply: FastifyReply, holder: KeyHolder): KeyHolder {
    const { environment, currentPhase } = this.#parts
    const { store } = requireServices(currentPhase())
    this.#use.record(holder.session!, environment.clock(), store.sessions, request.log)
    // Caches keep answers to an Authorization header apart by themselves, but not those to a
    // cookie.
    reply.header('cache-control', 'private, no-store')
    return holder
  }
}

/** Browsers accept `__Host-` only with Secure, without a domain and for the whole host. */
const SECURE_NAME = '__Host-session'
const PLAIN_NAME = 'session'
/** 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/

/**
 * The cookie that holds the secret of a session. Scripts cannot read it; no other site sends it.
 */
class SessionCookie {
  readonly #name: string
  readonly #attributes: string

  /** `publicUrl` is the setting; without it, the service is used over plain HTTP. */
  constructor(publicUrl: string | null) {
    const secure = publicUrl?.startsWith('https:') === true
    this.#name = secure ? SECURE_NAME : PLAIN_NAME
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  }

  read({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
    const { cookie } = headers
    if (cookie === undefined) return null
    for (const pair of cookie.split(';')) {
      const [name, value] = splitOnce(pair)
      if (name === this.#name && SECRET.test(value)) return value
    }
    return null
  }

  set(reply: FastifyReply, secret: string): void {
    const seconds = SESSION_LIFETIME_MS / 1000
    reply.header('set-cookie', `${this.#name}=${secret}; Max-Age=${seconds}; ${this.#attributes}`)
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`)
  }
}

function splitOnce(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

/** A session's last use is written at most so often. */
const RECORD_INTERVAL_MS = 60_000
const MAX_REMEMBERED = 10_000

/** Writes when sessions were last used, without letting requests wait for it. */
class SessionUse {
  readonly #recorded = new BoundedCache<string, number>(MAX_REMEMBERED)

  record(session: Session, now: number, sessions: Sessions, log: FastifyBaseLogger): void {
    const before = Math.max(session.seenAt, this.#recorded.get(session.id) ?? 0)
    if (now - before < RECORD_INTERVAL_MS) return
    this.#recorded.set(session.id, now)
    sessions
      .recordUse(session.id, now)
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of a session could not be stored'))
  }
}

type Requested = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>

/**
 * The origin of the service's own pages: that of PUBLIC_URL, else of the connection and its `Host`.
 * `X-Forwarded-Host` and `X-Forwarded-Proto` are not read. Null for a `Host` that is no name.
 */
export function ownOrigin({ protocol, host }: Omit<Requested, 'headers'>, publicUrl: string | null): string | null {
  return URL.parse(publicUrl ?? `${protocol}://${host}`)?.origin ?? null
}

/**
 * Whether a request that carries a cookie surely comes from a page of this service, as every change
 * must. `SameSite=Strict` alone is not enough: another port of the host is the same site.
 */
function isSameOrigin(request: Requested, publicUrl: string | null): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  // Without HTTPS, browsers send Sec-Fetch-Site to this machine's own address only.
  if (site === undefined) return origin !== undefined && origin === ownOrigin(request, publicUrl)
  return site === 'same-origin'
}

/**
 * Whether a page of another origin made the request. A browser sends neither header with a plain
 * reading request over HTTP; what such a request gets, the other page cannot read.
 */
function isCrossOrigin(request: Requested, publicUrl: string | null): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'none') return false
  return (site !== undefined || origin !== undefined) && !isSameOrigin(request, publicUrl)
}

export function sessionsAsKeys(sessions: Sessions): Pick<Keys, 'findByHash'> {
  return {
    async findByHash(hash: string): Promise<KeyHolder | null> {
      const found = await sessions.findByHash(hash)
      if (found === null) return null
      const { session, account, key } = found
      return { key: sessionAsKey(session, account, key), account, session, openedWith: key }
    },
  }
}
