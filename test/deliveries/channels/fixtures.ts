import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { BrowserSubscription } from '../../../src/deliveries/channels/browser-subscription.ts'
import type { ChannelSettings } from '../../../src/deliveries/channels/channel-request.ts'
import { VapidSigner } from '../../../src/deliveries/channels/web-push.ts'
import { loadWords } from '../../../src/startup/channels.ts'

/** Of nobody. */
export const VAPID_KEYS = {
  publicKey: 'BCENKSefusplAiQgz2o_GUgNxSQbKAnMNX2cFDbjyjmjvttsC9dKsVUeyeP9VxAZtMW5WUvGfs8cOLF13N5pLtU',
  privateKey: 'KLrPU-Oa7TtecF5f2UeNcAFnvD5K7yI-uLFQBNFh8Aw',
}

export const NO_CHANNELS: ChannelSettings = {
  publicUrl: 'https://feed.example.org',
  advice: {},
  furtherHosts: [],
  telegram: null,
  push: new VapidSigner(VAPID_KEYS, () => 'mailto:operator@example.org'),
  wordsIn: await loadWords(),
}

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
