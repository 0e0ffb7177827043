import { request } from './request.ts'

/** Whether this browser can show notifications; if not, what stands in the way. */
export type PushSupport = 'ready' | 'denied' | 'home_screen' | 'insecure' | 'unsupported'

/** The parts of a browser that decide it. */
export interface BrowserTraits {
  readonly isSecure: boolean
  readonly hasWorkers: boolean
  readonly hasPush: boolean
  /** `Notification.permission`; null without notifications. */
  readonly permission: string | null
  readonly userAgent: string
  /** An iPad says that it is a Mac, with fingers. */
  readonly touchPoints: number
  readonly isInstalled: boolean
}

export function pushSupport(traits: BrowserTraits): PushSupport {
  if (!traits.isSecure) return 'insecure'
  if (isAppleDevice(traits) && !traits.isInstalled) return 'home_screen'
  if (!traits.hasWorkers || !traits.hasPush || traits.permission === null) return 'unsupported'
  return traits.permission === 'denied' ? 'denied' : 'ready'
}

export function currentTraits(): BrowserTraits {
  return {
    isSecure: isSecureContext,
    hasWorkers: 'serviceWorker' in navigator,
    hasPush: 'PushManager' in globalThis,
    permission: 'Notification' in globalThis ? Notification.permission : null,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled: matchMedia('(display-mode: standalone)').matches,
  }
}

/** On iPhones and iPads, every browser is Safari. */
function isAppleDevice({ userAgent, touchPoints }: BrowserTraits): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1)
}

/** Sentences for the owner of the browser. */
export const SUPPORT_WORDS: Readonly<Record<PushSupport, string>> = {
  ready:
    'Each incident is shown as a notification on this device, even if no page is open. The browser asks you first.',
  denied:
    'This browser does not allow notifications of this page. Allow them in its settings for this page, then load it again.',
  home_screen:
    'An iPhone or iPad shows notifications only for pages on its home screen: choose Share, then Add to Home Screen, open it from there, and come back to this form.',
  insecure: 'Browsers show notifications only for pages with https.',
  unsupported: 'This browser cannot show notifications of pages.',
}

/** Its message can be shown where the page is in English. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused'
  readonly reason: 'not_allowed' | 'push_service'

  constructor(reason: SubscriptionRefused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Asks whether notifications may be shown, and subscribes this browser. Throws a
 * `SubscriptionRefused`, or a `RequestError`.
 */
export async function subscribeHere(): Promise<PushSubscriptionJSON> {
  // First of all: browsers ask only right after a click.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted')
    throw new SubscriptionRefused('not_allowed', 'The browser was not allowed to show notifications.')
  const { public_key } = await request<{ public_key: string }>('GET', '/v1/push')
  const subscription = await subscribed(await pushManager(), bytesOf(public_key))
  // The worker compares it later: browsers replace subscriptions by themselves.
  await rememberEndpoint(subscription.endpoint)
  return subscription.toJSON()
}

async function subscribed(manager: PushManager, key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const existing = await manager.getSubscription()
  if (existing !== null) {
    if (hasKey(existing, key)) return existing
    // Of another service at this address, or of keys that were lost: nothing can be sent with it.
    await existing.unsubscribe()
  }
  try {
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch (error) {
    const { message } = error as Error
    throw new SubscriptionRefused(
      'push_service',
      `The push service of this browser did not take the subscription: ${message}`,
    )
  }
}

/** The endpoint of this browser; null if it has not subscribed. */
export async function endpointHere(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  const subscription = await registration?.pushManager?.getSubscription()
  return subscription?.endpoint ?? null
}

/** This browser's address as the API shows it; null if it has not subscribed. */
export async function shownAddressHere(): Promise<string | null> {
  const endpoint = await endpointHere()
  return endpoint === null ? null : shownEndpoint(endpoint)
}

/** As `src/deliveries/channels/browser-subscription.ts` writes it. */
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

/** The service worker looks there, too: `web/service-worker/subscription.ts`. */
const CACHE = 'push'
const ENDPOINT = '/endpoint'

/**
 * Remembers where this browser is notified, so that the worker can say which endpoint another one
 * replaces.
 */
export async function rememberEndpoint(endpoint: string): Promise<void> {
  await (await caches.open(CACHE)).put(ENDPOINT, new Response(endpoint))
}
