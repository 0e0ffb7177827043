import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../empty-database.ts'
import { created, documentsOf, NOW, wholeLog } from '../fixtures.ts'

export function closingConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('closing', () => {
    it('waits for running calls, and refuses later ones', async () => {
      await using database = await newDatabase()
      const store = await database.open()
      const saves = Array.from({ length: 20 }, (_, index) => store.incidents.save([created(index)], NOW))
      await store[Symbol.asyncDispose]()
      for (const save of saves) assert.equal((await save).length, 1)
      const isClosed = (error: unknown) =>
        error instanceof Error && !(error instanceof StoreUnavailable) && /closed/.test(error.message)
      await assert.rejects(store.events.head(), isClosed)
      await assert.rejects(store.incidents.save([created(99)], NOW), isClosed)
      await assert.rejects(store.incidents.snapshot(), isClosed)
      await store[Symbol.asyncDispose]()
    })

    it('keeps all data for the next store that opens it', async (test) => {
      await using database = await newDatabase()
      if (!database.shared) return test.skip('the database is closed with the store')
      const first = await database.open()
      await first.incidents.save([created(1), created(2)], NOW)
      const log = await wholeLog(first)
      await first[Symbol.asyncDispose]()
      await using second = await database.open()
      assert.deepEqual(await wholeLog(second), log)
      const [next] = await second.incidents.save([created(3)], NOW - 1)
      assert.deepEqual([next?.seq, next?.at], [3, NOW])
    })

    it('ends unfinished snapshots and active listeners', async () => {
      await using database = await newDatabase()
      const store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const snapshot = await store.incidents.snapshot()
      store.events.onAppend(() => {})
      await store[Symbol.asyncDispose]()
      await assert.rejects(documentsOf(snapshot), /closed/)
    })
  })
}
