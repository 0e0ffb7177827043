import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { Me } from '../../../client/src/generated/types.ts'
import { type FailureWords, messageOf, RequestError, type RequestOptions, request } from './request.ts'

/** `GET /v1/me` of a session, which belongs to an account. */
export type Person = Me & { readonly account: NonNullable<Me['account']>; readonly usage: NonNullable<Me['usage']> }

export interface PasskeyEntry {
  readonly id: string
  readonly name: string
  readonly synchronised: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

const ADVICE: FailureWords = {
  unreachable: 'The service cannot be reached. Check your connection and try again.',
  failed: () => 'The service has a problem. Try again in a minute.',
}
const RETRY_MS = 2000

/** Sends what concerns the session itself: its failures say what to do. */
export function send<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
  return request<Answer>(method, path, { body, words: ADVICE })
}

/** Reads who is signed in; null without a session, or with one that may not read. */
export async function readPerson(options: RequestOptions = { words: ADVICE }): Promise<Person | null> {
  try {
    return await request<Person>('GET', '/v1/me', options)
  } catch (error) {
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) return null
    throw error
  }
}

/** Asks again and again while the service cannot be reached, as after a restart. */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  onTrouble: (message: string) => void,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      onTrouble(messageOf(error))
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Signs out of this browser, or of one's others too, and leaves the page. */
export async function signOut(where: 'here' | 'everywhere' = 'here'): Promise<void> {
  await send('DELETE', where === 'here' ? '/v1/sessions/current' : '/v1/sessions')
  location.assign('/sign-in')
}

/** For a page whose session has ended: signing in leads back to it. */
export function goToSignIn(): void {
  const here = location.pathname + location.search + location.hash
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}

/** The name to show: the account's, or what else tells people apart. */
export function nameOf({ account }: Person): string {
  return account.name ?? account.email ?? account.id
}

/** Why this page cannot use passkeys; null if it can. */
export function passkeyObstacle(): string | null {
  if (/^[\d.]+$|^\[/.test(location.hostname))
    return 'Passkeys need a host name: open this page by its name, such as localhost, not by a number.'
  return 'PublicKeyCredential' in globalThis ? null : 'This browser, or a page without HTTPS, cannot use passkeys.'
}

export async function addPasskey(name: string): Promise<PasskeyEntry> {
  const options = await send<PublicKeyCredentialCreationOptionsJSON>('POST', '/v1/passkeys/options', {
    for: 'registration',
  })
  const credential = await asked(() => startRegistration({ optionsJSON: options }))
  return send<PasskeyEntry>('POST', '/v1/passkeys', { name, credential })
}

export async function signInWithPasskey(): Promise<void> {
  const options = await send<PublicKeyCredentialRequestOptionsJSON>('POST', '/v1/passkeys/options', { for: 'sign_in' })
  const passkey = await asked(() => startAuthentication({ optionsJSON: options }))
  await send('POST', '/v1/sessions', { passkey })
}

/** Browsers name errors for developers; people need to know what to do. */
async function asked<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    const { name } = error as Error
    if (name === 'InvalidStateError') throw new Error('This device has a passkey for your account already.')
    if (name === 'NotAllowedError' || name === 'AbortError')
      throw new Error('No passkey was used: it was cancelled, took too long, or this device has none for this service.')
    throw error
  }
}
