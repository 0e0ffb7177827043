import type { LimitName, Role } from '../../src/domain/accounts.ts'
import type { Scope } from '../../src/domain/keys.ts'
import { RequestError, request } from '../shared/parts/request.ts'
import type { SessionEntry } from '../shared/session/session.ts'
import { createStore } from '../shared/store.ts'

export interface Quota {
  readonly limit: number
  readonly used: number
  readonly window_seconds: number | null
}

/** `GET /v1/me`, as far as the console shows it. */
export interface Person {
  readonly account: {
    readonly id: string
    readonly name: string | null
    readonly email: string | null
    readonly email_verified: boolean
    readonly role: Role
    readonly created_at: string
  }
  readonly scopes: readonly Scope[]
  readonly session: SessionEntry | null
  readonly quotas: Readonly<Partial<Record<LimitName, Quota>>>
  readonly usage: { readonly days: readonly { readonly day: string; readonly requests: number }[] }
}

/** Who is signed in; null before the sign-up, and after signing out. */
export const person = createStore<Person | null>(null)
/** The account was just deleted on this page, which says so. */
export const hasLeft = createStore(false)
/** The session ended while the page was open: what it shows stays, and signing in again goes on. */
export const hasSessionEnded = createStore(false)

export function isSignedOut(error: unknown): boolean {
  return error instanceof RequestError && error.status === 401
}

/** Reads who is signed in, and what they have used since. Null without a session. */
export async function readPerson(): Promise<Person | null> {
  try {
    const found = await request<Person>('GET', '/v1/me')
    person.set(found)
    hasSessionEnded.set(false)
    return found
  } catch (error) {
    // 403: the account is blocked, or the session may not read; signing in again says which.
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) return null
    throw error
  }
}

/** Signs in with a key, as the sign-in page does. */
export async function signInWithKey(key: string): Promise<void> {
  try {
    await request('POST', '/v1/sessions', { body: { key } })
  } catch (error) {
    // The key is refused: no session has ended.
    throw isSignedOut(error) ? new Error((error as RequestError).message) : error
  }
  await readPerson()
}
