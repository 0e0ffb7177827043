import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_LIFETIME_MS } from '../../../domain/accounts.ts'

/** Browsers accept `__Host-` only with Secure, without a domain and for the whole host. */
const SECURE_NAME = '__Host-session'
const PLAIN_NAME = 'session'
/** 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/

/**
 * The cookie that holds the secret of a session. Scripts cannot read it; no other site sends it.
 */
export class SessionCookie {
  readonly #name: string
  readonly #attributes: string

  /** `publicUrl` is the setting; without it, the service is used over plain HTTP. */
  constructor(publicUrl: string | null) {
    const secure = publicUrl?.startsWith('https:') === true
    this.#name = secure ? SECURE_NAME : PLAIN_NAME
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  }

  /** Null if there is no cookie, or none that this service could have set. */
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
