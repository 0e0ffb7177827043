import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ImportBatch, type ImportChangeWrite, type ImportRun, StaleVersion } from '../../../../src/store/store.ts'
import { anImportReport } from '../../../desk/importing/harness.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { imported, NOW, wholeLog } from '../../fixtures.ts'

const batch = (id: string, checkpoint: string): ImportBatch => ({
  checkpoint: { id, checkpoint },
  run: null,
  changes: [],
  undone: [],
})

export function importsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('imports', () => {
    it('keeps the last checkpoint of each import until it is deleted', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([], NOW, batch('a', '{"row":1}'))
      await store.incidents.save([], NOW + 1, batch('a', '{"row":2}'))
      await store.incidents.save([], NOW, batch('b', '{"row":9}'))
      assert.equal(await store.imports.findCheckpoint('a'), '{"row":2}')
      await store.imports.deleteCheckpoint('a')
      assert.equal(await store.imports.findCheckpoint('a'), null)
      assert.equal(await store.imports.findCheckpoint('b'), '{"row":9}')
    })

    it('writes the checkpoint and the incidents together, or neither', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([imported(1)], NOW, batch('a', 'after 1'))
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      const twice = [imported(2), imported(1)]
      await assert.rejects(store.incidents.save(twice, NOW, batch('a', 'after 2')), StaleVersion)
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      assert.equal(await store.incidents.find(incidentId(2)), null)
      assert.equal((await wholeLog(store)).length, 1)
    })

    it('keeps the runs with what they changed, and the text before it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const run = (id: string, startedAt: number): ImportRun => ({
        id,
        startedAt,
        updatedAt: startedAt,
        state: 'running',
        report: anImportReport({ file: id }),
      })
      for (const [index, id] of ['imp_a', 'imp_b', 'imp_c'].entries()) await store.imports.begin(run(id, NOW + index))
      assert.deepEqual(
        (await store.imports.list(null, 2)).map(({ id }) => id),
        ['imp_c', 'imp_b'],
      )
      assert.deepEqual(
        (await store.imports.list({ startedAt: NOW + 1, id: 'imp_b' }, 2)).map(({ id }) => id),
        ['imp_a'],
      )
      assert.equal(await store.imports.find('imp_d'), null)
      assert.equal(await store.imports.record('imp_d', 'finished', anImportReport(), NOW), false)

      await store.incidents.save([imported(1)], NOW)
      const [before] = await store.incidents.current([incidentId(1)])
      const { incident } = imported(1)
      const updated = { ...incident, summary: 'Another.', version: 2 }
      const changes: ImportChangeWrite[] = [
        { incidentId: incidentId(1), outcome: 'updated', version: 2, poorerFields: ['lga'] },
        { incidentId: incidentId(2), outcome: 'created', version: 1, poorerFields: [] },
      ]
      const report = anImportReport({ file: 'after' })
      await store.incidents.save([{ incident: updated, event: 'incident.imported' }, imported(2)], NOW + 5, {
        checkpoint: null,
        run: { id: 'imp_a', state: 'running', report },
        changes,
        undone: [],
      })
      const stored = await store.imports.find('imp_a')
      assert.deepEqual([stored!.updatedAt, stored!.report], [NOW + 5, report])
      const kept = { undoneAt: null, laterImport: null }
      const restorable = { document: before!.document, moderation: null }
      const all = [
        { ...changes[0], before: restorable, ...kept },
        { ...changes[1], before: null, ...kept },
      ].sort((one, other) => (one.incidentId! < other.incidentId! ? -1 : 1))
      assert.deepEqual(await store.imports.changes('imp_a', null, 10), all)
      assert.deepEqual(await store.imports.changes('imp_a', all[0]!.incidentId!, 10), [all[1]])

      const again = { ...updated, summary: 'A third.', version: 3 }
      await store.incidents.save([{ incident: again, event: 'incident.imported' }], NOW + 6, {
        checkpoint: null,
        run: { id: 'imp_b', state: 'running', report },
        changes: [{ incidentId: incidentId(1), outcome: 'updated', version: 3, poorerFields: [] }],
        undone: [],
      })
      const changeOf = async (id: string) =>
        (await store.imports.changes(id, null, 10)).find((change) => change.incidentId === incidentId(1))!
      assert.equal((await changeOf('imp_a')).laterImport, 'imp_b')

      const back = { ...updated, version: 4 }
      await store.incidents.save([{ incident: back, event: 'incident.imported' }], NOW + 7, {
        checkpoint: null,
        run: { id: 'imp_b', state: 'undone', report },
        changes: [],
        undone: [{ incidentId: incidentId(1), versionBefore: 2, version: 4 }],
      })
      const undone = await changeOf('imp_b')
      assert.deepEqual([undone.undoneAt, undone.before], [NOW + 7, null])
      const first = await changeOf('imp_a')
      assert.deepEqual([first.version, first.laterImport, first.before], [4, null, restorable])
    })

    it('writes a run, its changes and the incidents together, or nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const report = anImportReport()
      await store.imports.begin({ id: 'imp_a', startedAt: NOW, updatedAt: NOW, state: 'running', report })
      await store.incidents.save([imported(1)], NOW)
      await assert.rejects(
        store.incidents.save([imported(2), imported(1)], NOW + 1, {
          checkpoint: null,
          run: { id: 'imp_a', state: 'finished', report },
          changes: [{ incidentId: incidentId(2), outcome: 'created', version: 1, poorerFields: [] }],
          undone: [],
        }),
        StaleVersion,
      )
      assert.deepEqual(await store.imports.changes('imp_a', null, 10), [])
      assert.equal((await store.imports.find('imp_a'))!.state, 'running')
    })
  })
}
