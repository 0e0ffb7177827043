import type { Delivery } from '../../src/domain/delivery.ts'
import type { Dispatch } from '../../src/store/store.ts'

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
