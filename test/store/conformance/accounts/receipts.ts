import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClaimLost, StaleVersion, type Store, type WritableStore } from '../../../../src/store/store.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount, claimAs, created, NOW } from '../../fixtures.ts'
import { appendTo, aWatch, deliveryId, MAX_WATCHES, newDelivery, watchId, withWatches } from '../../watch-fixtures.ts'

const ANSWER = new Uint8Array([7, 0, 7])
const HOLDER = { id: 'a', token: 'holder' }
const HEIR = { id: 'a', token: 'heir' }

interface Write {
  readonly name: string
  readonly write: (store: WritableStore) => Promise<unknown>
  readonly isWritten: (store: Store) => Promise<boolean>
}

/** Every write that a POST request makes, on a store with account 1, watch 1 and a delivery. */
const CAP = { valid: 100, perDay: 100 }

const WRITES: readonly Write[] = [
  {
    name: 'incidents.save',
    write: (store) => store.incidents.save([created(9)], NOW),
    isWritten: async (store) => (await store.incidents.find(incidentId(9))) !== null,
  },
  {
    name: 'accounts.open',
    write: (store) => store.accounts.open(anAccount(9), aKey(9, { accountId: 'acc_9' })),
    isWritten: async (store) => (await store.accounts.find('acc_9')) !== null,
  },
  {
    name: 'keys.add',
    write: (store) => store.keys.add(aKey(8), CAP),
    isWritten: async (store) => (await store.keys.findByHash(aKey(8).hash)) !== null,
  },
  {
    name: 'keys.rotate',
    write: (store) => store.keys.rotate('acc_1', aKey(1).id, aKey(7), NOW + 1, CAP),
    isWritten: async (store) => (await store.keys.findByHash(aKey(7).hash)) !== null,
  },
  {
    name: 'watches.add',
    write: (store) => store.watches.add(aWatch(9), MAX_WATCHES),
    isWritten: async (store) => (await store.watches.find('acc_1', watchId(9))) !== null,
  },
  {
    name: 'watches.change',
    write: (store) => store.watches.change('acc_1', watchId(1), { name: 'Changed' }, NOW),
    isWritten: async (store) => (await store.watches.find('acc_1', watchId(1)))?.name === 'Changed',
  },
  {
    name: 'deliveries.redeliver',
    write: (store) => store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW + 77),
    isWritten: async (store) => (await store.deliveries.find('acc_1', deliveryId(1, 1)))?.delivery.dueAt === NOW + 77,
  },
]

async function filled(store: Store): Promise<void> {
  await withWatches(store, 1)
  await appendTo(store, 2)
  await store.deliveries.add([newDelivery(1, 1)], NOW)
}

async function stateOf(store: Store): Promise<string> {
  return (await claimAs(store.idempotency, 'a', NOW + 6_000)).state
}

export function receiptsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a write with a receipt', () => {
    for (const { name, write, isWritten } of WRITES) {
      it(`${name} is stored together with the answer`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await claimAs(store.idempotency, 'a', NOW, HOLDER)
        const receiptStore = store.withReceipt({ ...HOLDER, answer: ANSWER })
        assert.equal(receiptStore.receiptStored, false)
        await write(receiptStore)
        assert.equal(receiptStore.receiptStored, true)
        assert.equal(await isWritten(store), true)
        const claim = await claimAs(store.idempotency, 'a', NOW + 6_000)
        assert.deepEqual(claim.state === 'finished' && claim.answer, ANSWER)
      })

      it(`${name} writes nothing once another request holds the claim`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await claimAs(store.idempotency, 'a', NOW, HOLDER)
        await claimAs(store.idempotency, 'a', NOW + 5_001, HEIR)
        const receiptStore = store.withReceipt({ ...HOLDER, answer: ANSWER })
        await assert.rejects(write(receiptStore), ClaimLost)
        assert.equal(receiptStore.receiptStored, false)
        assert.equal(await isWritten(store), false)
        await write(store.withReceipt({ ...HEIR, answer: ANSWER }))
        assert.equal(await isWritten(store), true)
      })
    }

    const REFUSALS: readonly { name: string; write: (store: WritableStore) => Promise<unknown>; result: unknown }[] = [
      { name: 'a name that is taken', write: (store) => store.watches.add(aWatch(1), 9), result: 'name_taken' },
      { name: 'too many watches', write: (store) => store.watches.add(aWatch(9), 1), result: 'too_many' },
      {
        name: 'an unknown delivery',
        write: (store) => store.deliveries.redeliver('acc_2', deliveryId(1, 1), NOW),
        result: null,
      },
    ]
    for (const { name, write, result } of REFUSALS) {
      it(`that is refused for ${name} leaves the claim running`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await claimAs(store.idempotency, 'a', NOW, HOLDER)
        const receiptStore = store.withReceipt({ ...HOLDER, answer: ANSWER })
        assert.equal(await write(receiptStore), result)
        assert.equal(receiptStore.receiptStored, false)
        assert.equal((await claimAs(store.idempotency, 'a', NOW)).state, 'running')
      })
    }

    it('that fails stores no answer', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const again = store.withReceipt({ ...HOLDER, answer: ANSWER }).incidents.save([created(2), created(1)], NOW)
      await assert.rejects(again, StaleVersion)
      assert.equal(await store.incidents.find(incidentId(2)), null)
      assert.equal(await stateOf(store), 'claimed')
    })

    it('answers once: a second write of the same request is refused whole', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const receiptStore = store.withReceipt({ ...HOLDER, answer: ANSWER })
      await receiptStore.incidents.save([created(1)], NOW)
      await assert.rejects(receiptStore.incidents.save([created(2)], NOW), ClaimLost)
      assert.equal(await store.incidents.find(incidentId(2)), null)
    })

    it('is seen by one of many holders of the same claim', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open() : null
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const writes = Array.from({ length: 8 }, (_, index) =>
        ((index % 2 ? other : store) ?? store)
          .withReceipt({ ...HOLDER, answer: ANSWER })
          .incidents.save([created(index + 1)], NOW),
      )
      const results = await Promise.allSettled(writes)
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await store.events.head()).seq, 1)
    })

    it('adds its number to the counts of the claim, which an heir goes on with', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 3)
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const counting = (holder: typeof HOLDER, now: number) =>
        store.withReceipt({ ...holder, count: 'missed', now }).deliveries
      assert.equal(await counting(HOLDER, NOW).add([newDelivery(1, 1), newDelivery(1, 2)], NOW), 2)
      assert.equal(await counting(HOLDER, NOW + 4_000).add([newDelivery(1, 3)], NOW), 1)
      // Counting at NOW + 4,000 has shown that the holder is alive.
      assert.equal((await claimAs(store.idempotency, 'a', NOW + 8_000, HEIR)).state, 'running')
      const inherited = await claimAs(store.idempotency, 'a', NOW + 9_001, HEIR)
      assert.deepEqual(inherited, { state: 'claimed', counts: { missed: 3 } })
      await assert.rejects(counting(HOLDER, NOW).add([newDelivery(1, 1)], NOW), ClaimLost)
      await store.idempotency.abandon(HEIR)
      const again = await claimAs(store.idempotency, 'a', NOW + 9_002, { token: 'third' })
      assert.deepEqual(again, { state: 'claimed', counts: { missed: 3 } })
      const another = { token: 'fourth', fingerprint: 'another request' }
      assert.deepEqual(await claimAs(store.idempotency, 'a', NOW + 15_000, another), { state: 'claimed', counts: {} })
    })
  })
}
