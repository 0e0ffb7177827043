import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { BrowserSubscription } from '../../../src/deliveries/channels/browser-subscription.ts'

interface Ece {
  decrypt(message: Buffer, keys: { version: 'aes128gcm'; privateKey: unknown; authSecret: string }): Buffer
}
/** Mozilla's implementation of the content coding; it shares nothing with ours. */
const ece = createRequire(import.meta.url)('http_ece') as Ece

/** A browser that has subscribed, and reads what its push service brings. */
export function aBrowser(endpoint: string) {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const subscription: BrowserSubscription = { endpoint, p256dh, auth }
  return {
    subscription,
    /** As `PushSubscription.toJSON()` gives it. */
    json: { endpoint, expirationTime: null, keys: { p256dh, auth } },
    decrypt: (message: Buffer) =>
      ece.decrypt(message, { version: 'aes128gcm', privateKey: pair, authSecret: auth }).toString('utf8'),
  }
}
