import type { Watch } from '../domain/watch.ts'
import type { Store } from '../store/store.ts'

const BATCH = 1000
/** A lease that began before a watch was resumed may park a delivery after it; it ends sooner. */
const RESUME_SETTLES_MS = 60_000
const WATCHES_PER_RUN = 100
/** Any parked delivery is due after this, and no other. */
const FAR_FUTURE = Date.UTC(9000, 0)

/** Makes every pending delivery of the watch due at once. Returns how many were not yet. */
export function retryPending(watch: Pick<Watch, 'id' | 'accountId'>, store: Store, now: number): Promise<number> {
  return makeDueInBatches(watch, store, now, now)
}

/** Makes the rest due of what was parked while watches were paused: a crash may have left some. */
export async function finishResuming(store: Store, now: number): Promise<void> {
  for (const watch of await store.watches.resuming(now - RESUME_SETTLES_MS, WATCHES_PER_RUN)) {
    await makeDueInBatches(watch, store, FAR_FUTURE, now)
    await store.watches.finishResuming(watch)
  }
}

/** Short transactions: a watch may have 100,000 pending, and others write meanwhile. */
async function makeDueInBatches(
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  { deliveries }: Store,
  dueAfter: number,
  now: number,
): Promise<number> {
  let count = 0
  for (let afterSeq: number | null = 0; afterSeq !== null; ) {
    const { due, lastSeq } = await deliveries.makeDue(accountId, id, afterSeq, dueAfter, now, BATCH)
    count += due
    afterSeq = lastSeq
  }
  return count
}
