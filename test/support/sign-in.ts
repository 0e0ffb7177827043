import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { makeAccount } from '../../src/accounts/keys.ts'
import { issueSignInLink } from '../../src/accounts/sign-in.ts'
import type { Account, Role } from '../../src/domain/accounts.ts'
import type { Store } from '../../src/store/store.ts'

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
  const { email = null, emailVerifiedAt = null } = changes
  const made = makeAccount({ email, name: `The ${role}`, emailVerifiedAt, ownsEmail: true }, {}, Date.now())
  const account = { ...made, role, ...changes }
  await store.accounts.open(account, null)
  return account
}

/** Signs a person in with a link, as a browser would. */
export async function signIn({ url, store }: SignInTarget, role: Role, account?: Account): Promise<SignedIn> {
  const member = account ?? (await openMember(store, role))
  const link = await issueSignInLink(store, url, { accountId: member.id }, Date.now())
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

const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

/** An authenticator in software: makes and uses one passkey with ES256, as a device does. */
export class SoftwarePasskey {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Answers options of a registration. `statement` is the attestation, in CBOR. */
  register(challenge: string, format = 'none', statement = Buffer.from([0xa0])) {
    const length = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#coseKey()])
    const authData = Buffer.concat([this.#authData(USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL), credential])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text(format), text('attStmt'), statement, text('authData'), bytes(authData)],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    })
  }

  /** Answers options of signing in. */
  signIn(challenge: string, flags = USER_PRESENT_AND_VERIFIED) {
    const clientData = this.#clientData('webauthn.get', challenge)
    const authData = this.#authData(flags)
    const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')])
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    })
  }

  #answer(response: Record<string, string>) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authData(flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const host = hash('sha256', new URL(this.#origin).hostname, 'buffer')
    return Buffer.concat([host, Buffer.from([flags]), counter])
  }

  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const point = (coordinate: string) => bytes(Buffer.from(coordinate, 'base64url'))
    // { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    return Buffer.concat([head, Buffer.from([0x21]), point(x!), Buffer.from([0x22]), point(y!)])
  }
}

/** A short text in CBOR. */
export function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

/** A byte string in CBOR, with the shortest length. */
export function bytes(value: Buffer): Buffer {
  const { length } = value
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}
