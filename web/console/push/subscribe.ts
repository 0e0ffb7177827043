import { request } from '../../shared/parts/request.ts'

/**
 * Asks whether notifications may be shown, and subscribes this browser. Throws an `Error` with a
 * message that can be shown.
 */
export async function subscribeHere(): Promise<PushSubscriptionJSON> {
  // First of all: browsers ask only right after a click.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') throw new Error('The browser was not allowed to show notifications.')
  const { public_key } = await request<{ public_key: string }>('GET', '/v1/push')
  const manager = await pushManager()
  const key = bytesOf(public_key)
  const existing = await manager.getSubscription()
  if (existing !== null) {
    if (hasKey(existing, key)) return existing.toJSON()
    // Of another service at this address, or of keys that were lost: nothing can be sent with it.
    await existing.unsubscribe()
  }
  try {
    return (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON()
  } catch (error) {
    throw new Error(`The push service of this browser did not take the subscription: ${(error as Error).message}`)
  }
}

/** What the API shows of this browser's address; null if it has not subscribed. */
export async function shownAddressHere(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  const subscription = await registration?.pushManager?.getSubscription()
  return subscription ? shownEndpoint(subscription.endpoint) : null
}

/** As `src/channels/push/subscription.ts` writes it. */
export async function shownEndpoint(endpoint: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)))
  const fingerprint = Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${new URL(endpoint).origin}/***${fingerprint}`
}

async function pushManager(): Promise<PushManager> {
  await navigator.serviceWorker.register('/service-worker.js')
  return (await navigator.serviceWorker.ready).pushManager
}

function hasKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = options.applicationServerKey
  return own !== null && own.byteLength === key.length && new Uint8Array(own).every((byte, at) => byte === key[at])
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
