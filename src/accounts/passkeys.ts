import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Account, ownEmail, type Passkey } from '../domain/accounts.ts'
import { Problem } from '../domain/errors.ts'
import { newIdentifier } from '../domain/identifier.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { Store } from '../store/store.ts'
import { hashSecret } from './keys.ts'

export const MAX_PASSKEYS = 10
const CHALLENGE_VALID_MS = 5 * 60_000
const SERVICE_NAME = 'Incident Feed'

/** Loaded at the first use: most processes never see a passkey, and the library is large. */
const library = () => import('@simplewebauthn/server')

/** The page's origin; a passkey works for the host name that it was made for. */
type Origin = string
const hostOf = (origin: Origin) => new URL(origin).hostname

/** Options for the browser to make a passkey for the account. */
export async function registrationOptions(store: Store, account: Account, origin: Origin, now: number) {
  const { generateRegistrationOptions } = await library()
  const known = await store.passkeys.list(account.id)
  return generateRegistrationOptions({
    rpName: SERVICE_NAME,
    rpID: hostOf(origin),
    userName: ownEmail(account) ?? account.name ?? account.id,
    userDisplayName: account.name ?? '',
    userID: Uint8Array.from(Buffer.from(account.id)),
    challenge: await newChallenge(store, account.id, now),
    timeout: CHALLENGE_VALID_MS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    // The person proves itself to the device, and the device knows whom it signs in.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Options for the browser to sign in with any passkey that it has for this host. */
export async function signInOptions(store: Store, origin: Origin, now: number) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: hostOf(origin),
    challenge: await newChallenge(store, null, now),
    timeout: CHALLENGE_VALID_MS,
    userVerification: 'required',
  })
}

/** Checks what the browser made; throws a `Problem` if it does not fit. */
export async function verifyRegistration(
  store: Store,
  account: Account,
  credential: unknown,
  origin: Origin,
  name: string,
  now: number,
): Promise<Passkey> {
  const response = credential as RegistrationResponseJSON
  const challenge = await useChallenge(store, response, account.id, now)
  const { verifyRegistrationResponse } = await library()
  const { credential: made, credentialBackedUp } = await refusing(async () => {
    await refuseCertificates(response)
    const check = { response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: hostOf(origin) }
    const { registrationInfo } = await verifyRegistrationResponse(check)
    return registrationInfo
  })
  return {
    id: newIdentifier('passkey', now, randomBytes),
    accountId: account.id,
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: made.transports ?? [],
    name,
    backedUp: credentialBackedUp,
    createdAt: now,
    lastUsedAt: null,
  }
}

/** Finds whom a passkey signs in; throws a `Problem` if its signature does not fit. */
export async function verifySignIn(
  store: Store,
  assertion: unknown,
  origin: Origin,
  now: number,
): Promise<{ readonly passkey: Passkey; readonly account: Account }> {
  const response = assertion as AuthenticationResponseJSON
  const challenge = await useChallenge(store, response, null, now)
  const found = await store.passkeys.findByCredential(String(response.id))
  if (found === null)
    throw new Problem(
      'passkey_refused',
      'This passkey is not known here: it was removed, or its account has a new role.',
    )
  const { passkey } = found
  const { verifyAuthenticationResponse } = await library()
  const { newCounter } = await refusing(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    })
    return verified ? authenticationInfo : undefined
  })
  if (!(await store.passkeys.recordUse(passkey.id, newCounter, now)))
    throw new Problem('passkey_refused', 'The passkey has counted fewer sign-ins than before: it may be a copy.')
  return found
}

async function newChallenge(store: Store, accountId: string | null, now: number): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32)
  const hash = hashSecret(challenge.toString('base64url'))
  await store.challenges.add({ hash, accountId, expiresAt: now + CHALLENGE_VALID_MS }, now)
  return Uint8Array.from(challenge)
}

/** The challenge that the browser signed, once it is known to be ours, and unused. */
async function useChallenge(
  store: Store,
  credential: { readonly response?: { readonly clientDataJSON?: unknown } },
  accountId: string | null,
  now: number,
): Promise<string> {
  const challenge = signedChallenge(credential.response?.clientDataJSON)
  if (challenge === null) throw new Problem('passkey_refused', 'The answer of the browser cannot be read.')
  if (!(await store.challenges.consume(hashSecret(challenge), accountId, now)))
    throw new Problem('passkey_refused', 'The question to the passkey was answered before, or too late: try again.')
  return challenge
}

function signedChallenge(clientDataJson: unknown): string | null {
  if (typeof clientDataJson !== 'string') return null
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' && challenge.isWellFormed() ? challenge : null
  } catch {
    return null
  }
}

/**
 * A registration with a certificate would make the library fetch the addresses named in it. We ask
 * for none, and browsers then send none.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error(`the attestation ${format} has certificates`)
}

/** The library throws for whatever does not fit; the message is for people who debug a client. */
async function refusing<Result>(check: () => Promise<Result | undefined>): Promise<Result> {
  let reason = 'its signature does not fit'
  try {
    const result = await check()
    if (result !== undefined) return result
  } catch (error) {
    reason = error instanceof Error ? error.message.slice(0, 200) : reason
  }
  throw new Problem('passkey_refused', `The passkey was not accepted: ${reason}.`)
}
