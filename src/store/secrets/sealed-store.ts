import type { VapidKeys } from '../../domain/channel.ts'
import type { NewWatch, Watch, WatchPatch, WatchSecret } from '../../domain/watch.ts'
import type { HeaderChange, WatchHeader } from '../../domain/watch-headers.ts'
import type { Push } from '../interface/watches.ts'
import type { Dispatch, Store, Tip, WritableStore } from '../store.ts'
import { keyIdOf, type Sealer, SecretUnreadable } from './sealer.ts'

/** Encrypts secrets on their way into the store and decrypts them on their way out. */
export function sealedStore(store: Store, sealer: Sealer): Store {
  const { alerts, fanOut, tips, push } = store
  return {
    ...store,
    ...sealedParts(store, sealer),
    alerts: withMethods(alerts, {
      add: (watch, ...values) => alerts.add(sealWatch(watch, sealer), ...values),
      start: (watch, ...values) => alerts.start(sealWatch(watch, sealer), ...values),
    }),
    fanOut: withMethods(fanOut, {
      async write(...values) {
        const dispatches = await fanOut.write(...values)
        return dispatches?.map((dispatch) => openDispatch(dispatch, sealer)) ?? null
      },
    }),
    tips: withMethods(tips, {
      add: ({ contact, ...tip }, report, submission) =>
        tips.add({ ...tip, contact: sealContact(contact, tip.referenceHash, sealer) }, report, submission),
      async findByReference(referenceHash) {
        const tip = await tips.findByReference(referenceHash)
        return tip && openContact(tip, sealer)
      },
      addTo: ({ contact, ...addition }, now) =>
        tips.addTo({ ...addition, contact: sealContact(contact, addition.referenceHash, sealer) }, now),
      ofIncidents: async (ids) => (await tips.ofIncidents(ids)).map((tip) => openContact(tip, sealer)),
    }),
    push: withMethods(push, {
      watchesOf: async (...values) => (await push.watchesOf(...values)).map((watch) => openWatch(watch, sealer)),
      keys: async (proposed) => openPushKeys(await push.keys(sealPushKeys(proposed, sealer)), sealer),
    }),
    withReceipt: (receipt) => sealedWrites(store.withReceipt(receipt), sealer),
    withAudit: (entry) => sealedWrites(store.withAudit(entry), sealer),
  }
}

function sealedWrites<Part extends WritableStore>(store: Part, sealer: Sealer): Part {
  const withAudit: WritableStore['withAudit'] = (entry) => sealedWrites(store.withAudit(entry), sealer)
  return withMethods<WritableStore>(store, { ...sealedParts(store, sealer), withAudit }) as Part
}

function sealedParts({ watches, deliveries }: WritableStore, sealer: Sealer) {
  const openResult = <Result>(result: Watch | Result): Watch | Result =>
    isWatch(result) ? openWatch(result, sealer) : result
  return {
    watches: withMethods(watches, {
      add: async (watch, max) => openResult(await watches.add(sealWatch(watch, sealer), max)),
      find: async (accountId, id) => openResult(await watches.find(accountId, id)),
      list: async (...values) => (await watches.list(...values)).map((watch) => openWatch(watch, sealer)),
      change: async (accountId, id, patch, now) =>
        openResult(await watches.change(accountId, id, sealPatch(patch, id, sealer), now)),
    }),
    deliveries: withMethods(deliveries, {
      async lease(...values) {
        const leased = await deliveries.lease(...values)
        return { ...leased, dispatches: leased.dispatches.map((dispatch) => openDispatch(dispatch, sealer)) }
      },
      leaseOfWatch: async (...values) =>
        (await deliveries.leaseOfWatch(...values)).map((dispatch) => openDispatch(dispatch, sealer)),
      findSameRecipient: async (...values) =>
        (await deliveries.findSameRecipient(...values)).map(({ watchId, secrets }) => ({
          watchId,
          secrets: openSecrets(secrets, watchId, sealer),
        })),
      async leaseForSameRecipient(...values) {
        const leased = await deliveries.leaseForSameRecipient(...values)
        return { ...leased, dispatches: leased.dispatches.map((dispatch) => openDispatch(dispatch, sealer)) }
      },
    }),
  }
}

/** Stands where a contact cannot be decrypted: its key was taken out of SECRETS_KEY. */
const UNREADABLE = '(encrypted with a key that this service no longer has)'

function sealContact(contact: string | null, referenceHash: string, sealer: Sealer): string | null {
  return contact === null ? null : sealer.seal(contact, referenceHash)
}

function openContact(tip: Tip, sealer: Sealer): Tip {
  if (tip.contact === null) return tip
  try {
    return { ...tip, contact: sealer.open(tip.contact, tip.referenceHash) }
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    return { ...tip, contact: UNREADABLE }
  }
}

function isWatch(result: unknown): result is Watch {
  return typeof result === 'object' && result !== null
}

function sealPatch(patch: WatchPatch, watchId: string, sealer: Sealer): WatchPatch {
  const { rotation, headers } = patch
  return {
    ...patch,
    ...(rotation && { rotation: { ...rotation, secret: sealer.seal(rotation.secret, watchId) } }),
    ...(headers && { headers: sealHeaderChanges(headers, watchId, sealer) }),
  }
}

function sealWatch(watch: NewWatch, sealer: Sealer): NewWatch {
  const { id, secrets, headers } = watch
  return { ...watch, secrets: sealSecrets(secrets, id, sealer), headers: sealHeaders(headers, id, sealer) }
}

function openWatch(watch: Watch, sealer: Sealer): Watch {
  const { id, secrets, headers } = watch
  return { ...watch, secrets: openSecrets(secrets, id, sealer), headers: openHeaders(headers, id, sealer) }
}

function sealSecrets(secrets: readonly WatchSecret[], watchId: string, sealer: Sealer): WatchSecret[] {
  return secrets.map((each) => ({ ...each, secret: sealer.seal(each.secret, watchId) }))
}

function openSecrets(secrets: readonly WatchSecret[], watchId: string, sealer: Sealer): WatchSecret[] {
  return secrets.map(({ secret, expiresAt }) => ({ secret: sealer.open(secret, watchId), expiresAt }))
}

function openDispatch(dispatch: Dispatch, sealer: Sealer): Dispatch {
  const { delivery, endpoint } = dispatch
  const secrets = openSecrets(endpoint.secrets, delivery.watchId, sealer)
  const headers = openHeaders(endpoint.headers, delivery.watchId, sealer)
  return { ...dispatch, endpoint: { ...endpoint, secrets, headers } }
}

/** The object with some of its methods replaced; it may be a proxy, which has no keys to copy. */
function withMethods<Part extends object>(part: Part, methods: Partial<Part>): Part {
  return new Proxy(part, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name) as unknown,
  })
}

/** Encrypts the values, each bound to its watch and name: one cannot be stored as another. */
export function sealHeaders(headers: readonly WatchHeader[], watchId: string, sealer: Sealer): WatchHeader[] {
  return headers.map(({ name, value }) => ({ name, value: sealer.seal(value, boundTo(watchId, name)) }))
}

export function sealHeaderChanges(changes: readonly HeaderChange[], watchId: string, sealer: Sealer): HeaderChange[] {
  return changes.map(({ name, value }) => ({
    name,
    value: value === null ? null : sealer.seal(value, boundTo(watchId, name)),
  }))
}

export function openHeaders(headers: readonly WatchHeader[], watchId: string, sealer: Sealer): readonly WatchHeader[] {
  if (headers.length === 0) return headers
  return headers.map(({ name, value }) => ({ name, value: sealer.open(value, boundTo(watchId, name)) }))
}

/** In lower case: the owner may change the case of a name and keep its value. */
function boundTo(watchId: string, name: string): string {
  return `${watchId} header ${name.toLowerCase()}`
}

/** Bound to this name: the private key cannot be stored as the secret of a watch. */
const BOUND_TO = 'push keys'

export function sealPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
  return { ...keys, privateKey: sealer.seal(keys.privateKey, BOUND_TO) }
}

export function openPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
  return { ...keys, privateKey: sealer.open(keys.privateKey, BOUND_TO) }
}

/**
 * Encrypts the private key with the current key, or forgets keys that nobody can read any more: no
 * browser has subscribed with these, or the service would not start. Several nodes may do so at
 * once.
 */
export async function renewPushKeys(push: Push, sealer: Sealer): Promise<void> {
  const stored = await push.storedKeys()
  const keyId = stored && keyIdOf(stored.privateKey)
  if (stored === null || keyId === sealer.keys.current.id) return
  const isLost = keyId !== null && sealer.keys.find(keyId) === undefined
  await push.replaceKeys(stored, isLost ? null : sealPushKeys(openPushKeys(stored, sealer), sealer))
}
