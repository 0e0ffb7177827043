import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { incidentIdOf } from '../../../../src/desk/importing/digest.ts'
import { type UndoOptions, undoImport } from '../../../../src/desk/importing/undo/undo-import.ts'
import { orderIncidentFields } from '../../../../src/domain/incident.ts'
import type { Store } from '../../../../src/store/store.ts'
import { type EmptyDatabase, emptyMemory, emptyPostgres } from '../../../store/empty-database.ts'
import { wholeLog } from '../../../store/fixtures.ts'
import { anIncident } from '../../../support/incident.ts'
import { type Cells, csvOf, plainRow } from '../formats/fixtures.ts'
import { NOW } from '../formats/reading.ts'
import { aRun, archiveOf, countsIn, importText } from '../harness.ts'

const LATER = NOW + 86_400_000
const reports = (...rows: Cells[]) => csvOf(rows.map(plainRow))

async function importAs(store: Store, content: string, format: 'csv' | 'ndjson' = 'csv') {
  const run = aRun(store, format)
  const result = await importText(store, format, content, { run, id: run.id })
  return { id: run.id, counts: countsIn(result) }
}

async function undo(store: Store, id: string, changes: Partial<UndoOptions> = {}) {
  const refused: Record<string, string> = {}
  const report = await undoImport({
    store,
    run: (await store.imports.find(id))!,
    by: 'Ada',
    clock: () => LATER,
    dryRun: false,
    onRefused: (incidentId, reason) => {
      refused[incidentId] = reason
    },
    ...changes,
  })
  const { restored, retracted } = report
  return { restored, retracted, refused }
}

const withoutVersion = (document: string) => document.replace(/"updated_at":"[^"]*"/, '').replace(/"version":\d+/, '')

const DATABASES: readonly [string, () => Promise<EmptyDatabase>][] = [
  ['SQLite', emptyMemory],
  ['PostgreSQL', emptyPostgres],
]
for (const [name, newDatabase] of DATABASES) {
  describe(`undoing an import into ${name}`, { timeout: 60_000 }, () => {
    it('puts changed incidents back and takes new ones back, which a later import brings again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const one = { source_id: 'acme:1', killed: 1 }
      await importAs(store, reports(one))
      const id = incidentIdOf('acme:1')
      const created = incidentIdOf('acme:2')
      const [before] = await store.incidents.current([id])
      const second = reports({ ...one, killed: 2 }, { source_id: 'acme:2' })
      const { id: run, counts } = await importAs(store, second)
      assert.deepEqual(counts, { new: 1, updated: 1 })

      assert.deepEqual(await undo(store, run, { dryRun: true }), { restored: 1, retracted: 1, refused: {} })
      assert.equal((await store.incidents.find(id))!.version, 2)
      assert.deepEqual(await undo(store, run), { restored: 1, retracted: 1, refused: {} })
      const [after] = await store.incidents.current([id])
      assert.equal(withoutVersion(after!.document), withoutVersion(before!.document))
      assert.equal((await store.incidents.find(id))!.version, 3)
      assert.deepEqual(
        (await store.incidents.history(id)).map(({ step, note, by }) => [step, note, by.name]),
        [
          ['import', run, 'Ada, at the command line'],
          ['undo_import', run, 'Ada'],
        ],
      )
      assert.deepEqual(
        (await archiveOf(store)).map((incident) => incident.id),
        [id],
      )
      assert.equal((await store.incidents.find(created))!.status, 'retracted')
      assert.ok((await wholeLog(store)).every(({ kind }) => kind === 'incident.imported'))
      assert.deepEqual(await undo(store, run), { restored: 1, retracted: 1, refused: {} }, 'nothing is undone twice')
      assert.equal((await store.incidents.find(id))!.version, 3)

      const again = await importAs(store, second)
      assert.deepEqual(again.counts, { new: 1, updated: 1 })
      assert.equal((await store.incidents.find(created))!.status, 'confirmed')
      assert.deepEqual(await undo(store, again.id), { restored: 1, retracted: 1, refused: {} })
    })

    it('refuses what an editor or a later import has changed since, by name', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const rows = (...killed: number[]) =>
        reports(...killed.map((count, index) => ({ source_id: `acme:${index}`, killed: count })))
      const first = await importAs(store, rows(1, 1, 1))
      const second = await importAs(store, rows(2, 2, 2))
      const [edited, imported, untouched] = [0, 1, 2].map((index) => incidentIdOf(`acme:${index}`)) as [
        string,
        string,
        string,
      ]
      const current = (await store.incidents.find(edited))!
      const correction = { ...current, summary: 'Corrected at the desk.', version: current.version + 1 }
      await store.incidents.save([{ incident: correction, event: 'incident.updated' }], LATER)
      const third = await importAs(store, rows(2, 3, 2))

      const { refused } = await undo(store, second.id)
      assert.deepEqual(refused, {
        [edited]: 'it was changed at the desk since',
        [imported]: `the import ${third.id} has changed it since: undo that one first`,
      })
      assert.equal((await store.incidents.find(untouched))!.casualties.killed, 1)
      assert.equal((await store.imports.find(second.id))!.state, 'undone_in_part')

      assert.deepEqual((await undo(store, third.id)).refused, {})
      assert.equal((await store.incidents.find(imported))!.casualties.killed, 2)
      assert.deepEqual(Object.keys((await undo(store, second.id)).refused), [edited])
      assert.equal((await store.incidents.find(imported))!.casualties.killed, 1)
      assert.deepEqual(Object.keys((await undo(store, first.id)).refused), [edited])
      assert.deepEqual(
        (await archiveOf(store)).map(({ id, summary }) => [id, summary]),
        [[edited, 'Corrected at the desk.']],
      )
    })

    it('puts our own incidents back too', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const ours = orderIncidentFields(anIncident(1, { version: 1 }))
      await store.incidents.save([{ incident: ours, event: 'incident.created' }], NOW)
      const [before] = await store.incidents.current([ours.id])
      const { id, counts } = await importAs(
        store,
        `${JSON.stringify({ ...ours, summary: 'Another.', version: 4 })}\n${JSON.stringify(anIncident(2))}\n`,
        'ndjson',
      )
      assert.deepEqual(counts, { new: 1, updated: 1 })
      assert.deepEqual(await undo(store, id), { restored: 1, retracted: 1, refused: {} })
      const [after] = await store.incidents.current([ours.id])
      assert.equal(withoutVersion(after!.document), withoutVersion(before!.document))
      assert.equal((await store.incidents.find(ours.id))!.version, 5)
      const again = await importAs(store, `${JSON.stringify(anIncident(2))}\n`, 'ndjson')
      assert.deepEqual(again.counts, { new: 1 })
    })
  })
}
