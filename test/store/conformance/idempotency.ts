import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClaimLost, StaleVersion, type Store, type WritableStore } from '../../../src/store/store.ts'
import { incidentId } from '../../support/incident.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  aKey,
  anAccount,
  appendTo,
  aWatch,
  claimAs,
  created,
  deliveryId,
  MAX_WATCHES,
  NOW,
  newDelivery,
  watchId,
  withWatches,
} from '../fixtures.ts'

const HOUR = 3_600_000
const ANSWER = new Uint8Array([0, 1, 255, 0])
const CLAIMED = { state: 'claimed', counts: {} }

export function idempotencyConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('idempotency', () => {
    it('lets exactly one of many callers claim an id', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open() : null
      for (const id of ['a', 'b', 'c']) {
        const claims = await Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            claimAs((index % 2 ? (other ?? store) : store).idempotency, id, NOW, { fingerprint: `by ${index}` }),
          ),
        )
        assert.equal(claims.filter((each) => each.state === 'claimed').length, 1)
        assert.equal(claims.filter((each) => each.state === 'running').length, 15)
      }
    })

    it('shows other callers the running claim, then its answer', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      const claim = (now: number, fingerprint: string) => claimAs(idempotency, 'a', now, { fingerprint })
      assert.deepEqual(await claim(NOW, 'first'), CLAIMED)
      assert.deepEqual(await claim(NOW, 'second'), { state: 'running', fingerprint: 'first', rights: 'read' })
      assert.equal(await idempotency.finish({ id: 'a', token: 'token' }, ANSWER), true)
      const finished = { state: 'finished', fingerprint: 'first', rights: 'read', answer: ANSWER }
      assert.deepEqual(await claim(NOW + HOUR, 'second'), finished)
      assert.deepEqual(await claimAs(idempotency, 'b', NOW), CLAIMED)
    })

    it('distinguishes an empty answer from none', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claimAs(store.idempotency, 'a', NOW)
      await store.idempotency.finish({ id: 'a', token: 'token' }, new Uint8Array())
      assert.equal((await claimAs(store.idempotency, 'a', NOW)).state, 'finished')
    })

    it('lets an id be claimed again once abandoned, lost or expired', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      await claimAs(idempotency, 'abandoned', NOW)
      await idempotency.abandon({ id: 'abandoned', token: 'token' })
      assert.deepEqual(await claimAs(idempotency, 'abandoned', NOW), CLAIMED)

      await claimAs(idempotency, 'lost', NOW, { fingerprint: 'dead' })
      assert.equal((await claimAs(idempotency, 'lost', NOW + 5_000)).state, 'running')
      assert.deepEqual(await claimAs(idempotency, 'lost', NOW + 5_001, { fingerprint: 'heir' }), CLAIMED)
      const expected = { state: 'running', fingerprint: 'heir', rights: 'read' }
      assert.deepEqual(await claimAs(idempotency, 'lost', NOW + 5_001), expected)

      await claimAs(idempotency, 'ahead', NOW + HOUR)
      assert.deepEqual(await claimAs(idempotency, 'ahead', NOW), CLAIMED, 'its clock was an hour ahead')

      await claimAs(idempotency, 'old', NOW)
      await idempotency.finish({ id: 'old', token: 'token' }, ANSWER)
      assert.equal((await claimAs(idempotency, 'old', NOW + 24 * HOUR)).state, 'finished')
      assert.deepEqual(await claimAs(idempotency, 'old', NOW + 24 * HOUR + 1), CLAIMED)
    })

    it('ignores a holder that was taken for lost: only its heir can answer or give up', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      const [lost, heir] = [
        { id: 'a', token: 'lost' },
        { id: 'a', token: 'heir' },
      ]
      await claimAs(idempotency, 'a', NOW, lost)
      await claimAs(idempotency, 'a', NOW + 5_001, heir)
      assert.equal(await idempotency.finish(lost, new Uint8Array([9])), false)
      await idempotency.abandon(lost)
      assert.equal((await claimAs(idempotency, 'a', NOW + 5_001)).state, 'running')
      assert.equal(await idempotency.finish(heir, ANSWER), true)
      assert.equal(await idempotency.finish(heir, new Uint8Array([9])), false)
      await idempotency.abandon(heir)
      const finished = { state: 'finished', fingerprint: 'same', rights: 'read', answer: ANSWER }
      assert.deepEqual(await claimAs(idempotency, 'a', NOW + 5_001), finished)
    })

    it('deletes expired claims and answers, some at a time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      for (const [id, now] of [
        ['older', NOW - 2],
        ['old', NOW - 1],
        ['young', NOW],
      ] as const) {
        await claimAs(idempotency, id, now)
        await idempotency.finish({ id, token: 'token' }, ANSWER)
      }
      const deleted = [1, 2, 3].map(() => () => idempotency.deleteExpired(NOW, 1))
      assert.deepEqual([await deleted[0]!(), await deleted[1]!(), await deleted[2]!()], [1, 1, 0])
      assert.equal((await claimAs(idempotency, 'young', NOW)).state, 'finished')
      assert.equal((await claimAs(idempotency, 'old', NOW)).state, 'claimed')
    })

    it("keeps a subject's newest answers within bounds, and every running claim", async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      for (let number = 1; number <= 6; number++) {
        const subject = number === 6 ? 'acc_2' : 'acc_1'
        await claimAs(idempotency, `id ${number}`, NOW + number, { subject })
        if (number !== 1) await idempotency.finish({ id: `id ${number}`, token: 'token' }, new Uint8Array(10))
      }
      assert.deepEqual(await idempotency.usage(1), {
        entries: 6,
        bytes: 50,
        largest: [{ subject: 'acc_1', entries: 5, bytes: 40 }],
      })
      assert.equal(await idempotency.trim('acc_1', { entries: 10, bytes: 30 }), 1)
      assert.equal(await idempotency.trim('acc_1', { entries: 10, bytes: 30 }), 0)
      assert.equal(await idempotency.trim('acc_1', { entries: 1, bytes: 100 }), 2)
      const states = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(async (number) => (await claimAs(idempotency, `id ${number}`, NOW + 6)).state),
      )
      assert.deepEqual(states, ['running', 'claimed', 'claimed', 'claimed', 'finished', 'finished'])
    })

    it('has one holder at a time for an id that is claimed and abandoned continually', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      let holders = 0
      let turns = 0
      const caller = async () => {
        for (let round = 0; round < 20; round++) {
          if ((await claimAs(store.idempotency, 'a', NOW)).state !== 'claimed') continue
          assert.equal(++holders, 1)
          turns++
          holders--
          await store.idempotency.abandon({ id: 'a', token: 'token' })
        }
      }
      await Promise.all(Array.from({ length: 6 }, caller))
      assert(turns > 0)
    })
  })
}

const OTHER_ANSWER = new Uint8Array([7, 0, 7])
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
        const receiptStore = store.withReceipt({ ...HOLDER, answer: OTHER_ANSWER })
        assert.equal(receiptStore.receiptStored, false)
        await write(receiptStore)
        assert.equal(receiptStore.receiptStored, true)
        assert.equal(await isWritten(store), true)
        const claim = await claimAs(store.idempotency, 'a', NOW + 6_000)
        assert.deepEqual(claim.state === 'finished' && claim.answer, OTHER_ANSWER)
      })

      it(`${name} writes nothing once another request holds the claim`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await claimAs(store.idempotency, 'a', NOW, HOLDER)
        await claimAs(store.idempotency, 'a', NOW + 5_001, HEIR)
        const receiptStore = store.withReceipt({ ...HOLDER, answer: OTHER_ANSWER })
        await assert.rejects(write(receiptStore), ClaimLost)
        assert.equal(receiptStore.receiptStored, false)
        assert.equal(await isWritten(store), false)
        await write(store.withReceipt({ ...HEIR, answer: OTHER_ANSWER }))
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
        const receiptStore = store.withReceipt({ ...HOLDER, answer: OTHER_ANSWER })
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
      const again = store.withReceipt({ ...HOLDER, answer: OTHER_ANSWER }).incidents.save([created(2), created(1)], NOW)
      await assert.rejects(again, StaleVersion)
      assert.equal(await store.incidents.find(incidentId(2)), null)
      assert.equal(await stateOf(store), 'claimed')
    })

    it('answers once: a second write of the same request is refused whole', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const receiptStore = store.withReceipt({ ...HOLDER, answer: OTHER_ANSWER })
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
          .withReceipt({ ...HOLDER, answer: OTHER_ANSWER })
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
