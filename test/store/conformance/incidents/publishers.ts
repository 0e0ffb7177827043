import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'

export function publishersConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('publishers', () => {
    it('keeps the last entry of each publisher until it is removed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const zamfara = { key: 'zamfara herald', name: 'Zamfara Herald', kind: 'local', updatedAt: NOW } as const
      const arewa = { key: 'arewa', name: 'Arewa Radio', kind: 'national', updatedAt: NOW } as const
      await store.publishers.set(zamfara)
      await store.publishers.set({ ...arewa, kind: 'social' })
      await store.publishers.set(arewa)
      assert.deepEqual(await store.publishers.list(), [arewa, zamfara])
      assert.equal(await store.publishers.remove('arewa'), true)
      assert.equal(await store.publishers.remove('arewa'), false)
      assert.deepEqual(await store.publishers.list(), [zamfara])
    })
  })
}
