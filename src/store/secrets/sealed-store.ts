import type { NewWatch, VapidKeys, Watch, WatchPatch } from '../../domain/watch.ts'
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
          secrets: sealer.openSecrets(secrets, watchId),
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
    ...(headers && { headers: sealer.sealHeaders(headers, watchId) }),
  }
}

function sealWatch(watch: NewWatch, sealer: Sealer): NewWatch {
  const { id, secrets, headers } = watch
  return { ...watch, secrets: sealer.sealSecrets(secrets, id), headers: sealer.sealHeaders(headers, id) }
}

function openWatch(watch: Watch, sealer: Sealer): Watch {
  const { id, secrets, headers } = watch
  return { ...watch, secrets: sealer.openSecrets(secrets, id), headers: sealer.openHeaders(headers, id) }
}

function openDispatch(dispatch: Dispatch, sealer: Sealer): Dispatch {
  const { delivery, endpoint } = dispatch
  const secrets = sealer.openSecrets(endpoint.secrets, delivery.watchId)
  const headers = sealer.openHeaders(endpoint.headers, delivery.watchId)
  return { ...dispatch, endpoint: { ...endpoint, secrets, headers } }
}

/** The object with some of its methods replaced; it may be a proxy, which has no keys to copy. */
function withMethods<Part extends object>(part: Part, methods: Partial<Part>): Part {
  return new Proxy(part, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name) as unknown,
  })
}

/** Bound to this name: the private key cannot be stored as the secret of a watch. */
const BOUND_TO = 'push keys'

function sealPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
  return { ...keys, privateKey: sealer.seal(keys.privateKey, BOUND_TO) }
}

function openPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
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
  if (stored === null || keyId === sealer.currentId) return
  const isLost = keyId !== null && !sealer.hasKey(keyId)
  await push.replaceKeys(stored, isLost ? null : sealPushKeys(openPushKeys(stored, sealer), sealer))
}
