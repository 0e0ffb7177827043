import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { BrowserSubscription } from '../../src/deliveries/channels/browser-subscription.ts'
import type { ChannelSettings } from '../../src/deliveries/channels/channel-request.ts'
import { VapidSigner } from '../../src/deliveries/channels/web-push.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { NewWatch } from '../../src/domain/watch.ts'
import { loadWords } from '../../src/startup/channels.ts'
import type { Dispatch, Store } from '../../src/store/store.ts'
import { withWatches } from '../store/fixtures.ts'

/** Adds watches 1 to `count` at that URL, which match every event, to the store. */
export async function withWatchesAt(
  store: Store,
  count: number,
  url: string,
  changes: Partial<NewWatch> = {},
): Promise<void> {
  const filter = { given: '{}', canonical: '{}' }
  await withWatches(store, count, {
    url,
    filter,
    secrets: [{ secret: newSecret(randomBytes), expiresAt: null }],
    ...changes,
  })
}

/** Returns a leased delivery, with the given changes. */
export function aDispatch(changes: Partial<Delivery> = {}, accountId = 'acc_1', failing = false): Dispatch {
  const delivery: Delivery = {
    id: 'msg_1',
    watchId: 'wat_1',
    eventSeq: 1,
    sequence: 1,
    kind: 'incident.created',
    watchName: 'A watch',
    host: 'a.example',
    critical: false,
    severity: null,
    test: false,
    status: 'pending',
    attempts: 0,
    maybeAttempted: false,
    tries: 0,
    dueAt: 0,
    leaseOwner: 'node',
    createdAt: 0,
    finishedAt: null,
    ...changes,
  }
  const endpoint = {
    channel: 'webhook' as const,
    url: `https://${delivery.host}/`,
    secrets: [{ secret: 'whsec_x', expiresAt: null }],
    headers: [],
    schedule: null,
    siteListId: null,
    sharesReceiver: false,
  }
  return { delivery, endpoint, accountId, failing, postponed: false }
}

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
