import { randomBytes } from 'node:crypto'
import { newSecret } from '../../src/deliveries/send/signature.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { NewWatch } from '../../src/domain/watch.ts'
import type { Dispatch, Store } from '../../src/store/store.ts'
import { withWatches } from '../store/watch-fixtures.ts'

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
