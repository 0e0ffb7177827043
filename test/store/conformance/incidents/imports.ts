import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StaleVersion } from '../../../../src/store/store.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { imported, NOW, wholeLog } from '../../fixtures.ts'

export function importsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('imports', () => {
    it('keeps the last checkpoint of each import until it is deleted', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([], NOW, { id: 'a', checkpoint: '{"row":1}' })
      await store.incidents.save([], NOW + 1, { id: 'a', checkpoint: '{"row":2}' })
      await store.incidents.save([], NOW, { id: 'b', checkpoint: '{"row":9}' })
      assert.equal(await store.imports.findCheckpoint('a'), '{"row":2}')
      await store.imports.deleteCheckpoint('a')
      assert.equal(await store.imports.findCheckpoint('a'), null)
      assert.equal(await store.imports.findCheckpoint('b'), '{"row":9}')
    })

    it('writes the checkpoint and the incidents together, or neither', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([imported(1)], NOW, { id: 'a', checkpoint: 'after 1' })
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      const twice = [imported(2), imported(1)]
      await assert.rejects(store.incidents.save(twice, NOW, { id: 'a', checkpoint: 'after 2' }), StaleVersion)
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      assert.equal(await store.incidents.find(incidentId(2)), null)
      assert.equal((await wholeLog(store)).length, 1)
    })
  })
}
