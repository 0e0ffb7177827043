import type { Role, SignInMethod } from '../../../src/domain/accounts.ts'
import type { Scope } from '../../../src/domain/keys.ts'
import { createStore } from '../store.ts'
import { messageOf, SendError, send } from './send.ts'

export interface SessionEntry {
  readonly id: string
  readonly method: SignInMethod
  readonly current: boolean
  readonly user_agent: string | null
  readonly key_id: string | null
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
}

/** The person who is signed in: the parts of `GET /v1/me` that pages use. */
export interface Me {
  readonly account: {
    readonly id: string
    readonly name: string | null
    readonly email: string | null
    readonly role: Role
  }
  readonly scopes: readonly Scope[]
  readonly session: SessionEntry | null
}

export type SessionState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'signed-out' }
  | { readonly phase: 'signed-in'; readonly me: Me }
  | { readonly phase: 'failed'; readonly message: string }

export const session = createStore<SessionState>({ phase: 'loading' })

/** Asks who is signed in. Repeat it to try again, or after a role may have changed. */
export async function startSession(): Promise<SessionState> {
  session.set(await readSession())
  return session.get()
}

async function readSession(): Promise<SessionState> {
  try {
    return { phase: 'signed-in', me: await send<Me>('GET', '/v1/me') }
  } catch (error) {
    const isOut = error instanceof SendError && (error.status === 401 || error.status === 403)
    return isOut ? { phase: 'signed-out' } : { phase: 'failed', message: messageOf(error) }
  }
}

export function hasScope(scope: Scope): boolean {
  const state = session.get()
  return state.phase === 'signed-in' && state.me.scopes.includes(scope)
}

/** Signs out of this browser and leaves the page. */
export async function signOut(): Promise<void> {
  await send('DELETE', '/v1/sessions/current')
  session.set({ phase: 'signed-out' })
  location.assign('/sign-in')
}

/** Signs out of all browsers, this one too, and leaves the page. */
export async function signOutEverywhere(): Promise<void> {
  await send('DELETE', '/v1/sessions')
  session.set({ phase: 'signed-out' })
  location.assign('/sign-in')
}

/** For a page whose session has ended: signing in leads back to it. */
export function goToSignIn(): void {
  const here = location.pathname + location.search + location.hash
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}

/** The name to show: the account's, or what else tells people apart. */
export function nameOf({ account }: Me): string {
  return account.name ?? account.email ?? account.id
}
