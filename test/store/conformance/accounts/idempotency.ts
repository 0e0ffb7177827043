import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Idempotency } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'

const HOUR = 3_600_000
const ANSWER = new Uint8Array([0, 1, 255, 0])

/** Like the service: answers expire after a day, and a holder counts as dead after a minute. */
function claim(idempotency: Idempotency, id: string, now: number, fingerprint = 'same') {
  return idempotency.claim(id, fingerprint, now, now - 24 * HOUR, now - 60_000)
}

export function idempotencyConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('idempotency', () => {
    it('lets exactly one of many callers claim an id', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open() : null
      for (const id of ['a', 'b', 'c']) {
        const claims = await Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            claim((index % 2 ? (other ?? store) : store).idempotency, id, NOW, `by ${index}`),
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
      assert.deepEqual(await claim(idempotency, 'a', NOW, 'first'), { state: 'claimed' })
      assert.deepEqual(await claim(idempotency, 'a', NOW, 'second'), { state: 'running', fingerprint: 'first' })
      await idempotency.finish('a', ANSWER)
      const finished = { state: 'finished', fingerprint: 'first', answer: ANSWER }
      assert.deepEqual(await claim(idempotency, 'a', NOW + HOUR, 'second'), finished)
      assert.deepEqual(await claim(idempotency, 'b', NOW, 'second'), { state: 'claimed' })
    })

    it('distinguishes an empty answer from none', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claim(store.idempotency, 'a', NOW)
      await store.idempotency.finish('a', new Uint8Array())
      assert.equal((await claim(store.idempotency, 'a', NOW)).state, 'finished')
    })

    it('lets an id be claimed again once abandoned, lost or expired', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      await claim(idempotency, 'abandoned', NOW)
      await idempotency.abandon('abandoned')
      assert.deepEqual(await claim(idempotency, 'abandoned', NOW), { state: 'claimed' })

      await claim(idempotency, 'lost', NOW, 'dead')
      assert.equal((await claim(idempotency, 'lost', NOW + 60_000)).state, 'running')
      assert.deepEqual(await claim(idempotency, 'lost', NOW + 60_001, 'heir'), { state: 'claimed' })
      const expected = { state: 'running', fingerprint: 'heir' }
      assert.deepEqual(await claim(idempotency, 'lost', NOW + 60_001), expected)

      await claim(idempotency, 'old', NOW)
      await idempotency.finish('old', ANSWER)
      assert.equal((await claim(idempotency, 'old', NOW + 24 * HOUR)).state, 'finished')
      assert.deepEqual(await claim(idempotency, 'old', NOW + 24 * HOUR + 1), { state: 'claimed' })
    })

    it('keeps the first answer if another holder finishes or abandons late', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claim(store.idempotency, 'a', NOW)
      await store.idempotency.finish('a', ANSWER)
      await store.idempotency.finish('a', new Uint8Array([9]))
      await store.idempotency.abandon('a')
      const finished = { state: 'finished', fingerprint: 'same', answer: ANSWER }
      assert.deepEqual(await claim(store.idempotency, 'a', NOW), finished)
    })

    it('deletes expired claims and answers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { idempotency } = store
      for (const [id, now] of [
        ['old', NOW - 1],
        ['young', NOW],
      ] as const) {
        await claim(idempotency, id, now)
        await idempotency.finish(id, ANSWER)
      }
      await idempotency.deleteExpired(NOW)
      assert.equal((await claim(idempotency, 'young', NOW)).state, 'finished')
      assert.equal((await claim(idempotency, 'old', NOW)).state, 'claimed')
    })

    it('has one holder at a time for an id that is claimed and abandoned continually', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      let holders = 0
      let turns = 0
      const caller = async () => {
        for (let round = 0; round < 20; round++) {
          if ((await claim(store.idempotency, 'a', NOW)).state !== 'claimed') continue
          assert.equal(++holders, 1)
          turns++
          holders--
          await store.idempotency.abandon('a')
        }
      }
      await Promise.all(Array.from({ length: 6 }, caller))
      assert(turns > 0)
    })
  })
}
