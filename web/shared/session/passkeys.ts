import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { send } from './send.ts'

export interface PasskeyEntry {
  readonly id: string
  readonly name: string
  readonly synchronised: boolean
  readonly created_at: string
  readonly last_used_at: string | null
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

/** A first name for the device, which the person can change. */
export function deviceName(userAgent: string): string {
  const systems = {
    Android: /android/i,
    iPhone: /iphone/i,
    iPad: /ipad/i,
    Mac: /mac os/i,
    Windows: /windows/i,
  } as const
  const found = Object.entries(systems).find(([, pattern]) => pattern.test(userAgent))
  return found?.[0] ?? (/linux/i.test(userAgent) ? 'Linux computer' : 'This device')
}
