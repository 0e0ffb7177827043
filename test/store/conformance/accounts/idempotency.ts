import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { claimAs, NOW } from '../../fixtures.ts'

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
