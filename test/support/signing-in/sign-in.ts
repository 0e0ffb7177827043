import type { BrowserContext } from 'playwright-core'
import { makeAccount } from '../../../src/accounts/keys.ts'
import { issueSignInLink } from '../../../src/accounts/sign-in.ts'
import type { Account, Role } from '../../../src/domain/accounts.ts'
import type { Store } from '../../../src/store/store.ts'

/** A service that can be signed in to; a `TestApp` is one. */
export interface SignInTarget {
  readonly url: string
  readonly store: Store
}

export interface SignedIn {
  readonly account: Account
  /** As the Cookie header. */
  readonly cookie: string
  /** Sends a request as a page of the service does. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** Opens an account for a person, without a key. */
export async function openMember(store: Store, role: Role, changes: Partial<Account> = {}): Promise<Account> {
  const made = makeAccount({ email: null, name: `The ${role}` }, {}, Date.now())
  const account = { ...made, role, ...changes }
  await store.accounts.ensure(account)
  return account
}

/** Signs a person in with a link, as a browser would. */
export async function signIn({ url, store }: SignInTarget, role: Role, account?: Account): Promise<SignedIn> {
  const member = account ?? (await openMember(store, role))
  const link = await issueSignInLink(store, url, member.id, { mailed: false }, Date.now())
  const token = new URL(link.url).searchParams.get('token')!
  const response = await postSession(url, { token })
  if (response.status !== 201) throw new Error(`signing in answered ${response.status}: ${await response.text()}`)
  const cookie = cookieOf(response)!
  return { account: member, cookie, send: (...request) => sendByCookie(url, cookie, ...request) }
}

export function postSession(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The cookie that an answer sets, as the Cookie header; null if it sets none, or clears it. */
export function cookieOf(response: Response): string | null {
  const [pair] = response.headers.get('set-cookie')?.split(';') ?? []
  return pair === undefined || pair.endsWith('=') ? null : pair
}

/** As `fetch` of a page of the service: same-origin unless `headers` say otherwise. */
export function sendByCookie(
  url: string,
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/**
 * Signs a browser in. `pageUrl` is where its pages come from, if that is not the service itself.
 */
export async function signInBrowser(
  context: BrowserContext,
  target: SignInTarget,
  role: Role,
  pageUrl = target.url,
): Promise<SignedIn> {
  const signedIn = await signIn(target, role)
  const [name, value] = signedIn.cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: pageUrl, httpOnly: true, sameSite: 'Strict' }])
  return signedIn
}
