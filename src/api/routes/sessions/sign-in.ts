import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditEntryOf } from '../../../accounts/audit.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import { hashSecret } from '../../../accounts/keys.ts'
import { verifySignIn } from '../../../accounts/passkeys.ts'
import { MAX_SESSIONS, type NewSession, newSession } from '../../../accounts/sign-in.ts'
import { type Account, type Session, type SignInMethod, sessionAsKey } from '../../../domain/accounts.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import type { Key } from '../../../domain/keys.ts'
import type { LinkRefusal, Store, WritableStore } from '../../../store/store.ts'
import type { Router } from '../../router.ts'
import { pageOrigin } from './page-origin.ts'

/** Exactly one of them. */
export interface Credential {
  readonly key?: string
  readonly token?: string
  readonly passkey?: unknown
}

export interface SignedIn {
  readonly secret: string
  readonly holder: SessionHolder
}

type SessionHolder = KeyHolder & { readonly session: Session }

const LINK_PROBLEMS = {
  unknown: ['unknown_link', 'This sign-in link is not known: it is incomplete, or too old. Ask for another one.'],
  used: ['used_link', 'This sign-in link was used already: it signs in once. Ask for another one.'],
  expired: ['expired_link', 'This sign-in link has expired. Ask for another one.'],
  blocked: ['account_blocked', 'The account is blocked. Ask the operator of this service.'],
} as const satisfies Record<LinkRefusal, unknown>

function linkProblem(refusal: LinkRefusal): Problem {
  const [code, detail] = LINK_PROBLEMS[refusal]
  return new Problem(code, detail)
}

function holderOf(opened: NewSession, account: Account, key: Key | null): SessionHolder {
  const session = { ...opened.session, accountId: account.id }
  return { key: sessionAsKey(session, account, key), account, session }
}

/** Opens sessions, by each way of signing in, on record. */
export class SignIn {
  readonly #router: Router

  constructor(router: Router) {
    this.#router = router
  }

  open(store: Store, request: FastifyRequest, reply: FastifyReply, credential: Credential): Promise<SignedIn> {
    if (credential.key !== undefined) return this.#byKey(store, request, reply, credential.key)
    if (credential.token !== undefined) return this.#byLink(store, request, credential.token)
    return this.#byPasskey(store, request, credential.passkey)
  }

  async #byKey(store: Store, request: FastifyRequest, reply: FastifyReply, text: string): Promise<SignedIn> {
    const { key, account } = await this.#router.authenticator.keyHolders.find(request, reply, text)
    if (key.kind !== 'live')
      throw invalidBody([{ pointer: '/key', message: 'must be a live key (inf_live_…): a publishable one is public' }])
    const opened = this.#newSession(request, { method: 'key', keyId: key.id })
    const holder = holderOf(opened, account, key)
    await this.#recording(store, holder).sessions.open(holder.session, MAX_SESSIONS)
    return { secret: opened.secret, holder }
  }

  async #byLink(store: Store, request: FastifyRequest, token: string): Promise<SignedIn> {
    const tokenHash = hashSecret(token)
    const accountId = await store.signInLinks.findAccountId(tokenHash)
    const account = accountId === null ? null : await store.accounts.find(accountId)
    if (account === null) throw linkProblem('unknown')
    const opened = this.#newSession(request, { method: 'link' })
    const holder = holderOf(opened, account, null)
    const outcome = await this.#recording(store, holder).signInLinks.redeem(tokenHash, opened.session, MAX_SESSIONS)
    if (typeof outcome === 'string') throw linkProblem(outcome)
    // Read again: a mailed link has proved the address.
    return { secret: opened.secret, holder: { ...holder, account: (await store.accounts.find(account.id))! } }
  }

  async #byPasskey(store: Store, request: FastifyRequest, assertion: unknown): Promise<SignedIn> {
    const { clock, config } = this.#router.environment
    const { passkey, account } = await verifySignIn(store, assertion, pageOrigin(request, config.PUBLIC_URL), clock())
    if (account.status !== 'active') throw linkProblem('blocked')
    const opened = this.#newSession(request, { method: 'passkey', passkeyId: passkey.id })
    const holder = holderOf(opened, account, null)
    await this.#recording(store, holder).sessions.open(holder.session, MAX_SESSIONS)
    return { secret: opened.secret, holder }
  }

  #recording(store: Store, holder: SessionHolder): WritableStore {
    const { id, method, userAgent } = holder.session
    const act = { action: 'session.create', subject: id, after: { method, user_agent: userAgent } }
    return store.withAudit(auditEntryOf(holder, act, this.#router.environment.clock()))
  }

  #newSession(
    request: FastifyRequest,
    opened: { readonly method: SignInMethod; readonly keyId?: string; readonly passkeyId?: string },
  ): NewSession {
    return newSession(opened, request.headers['user-agent'], this.#router.environment.clock())
  }
}
