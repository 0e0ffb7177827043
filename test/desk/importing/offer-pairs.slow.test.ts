import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FormatName } from '../../../src/desk/importing/import.ts'
import { offerPairs } from '../../../src/desk/importing/offer-pairs.ts'
import { incidentIdOf } from '../../../src/desk/importing/prepare-row.ts'
import { undoImport } from '../../../src/desk/importing/undo-import.ts'
import type { DeskQuery, Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, emptyMemory, emptyPostgres } from '../../store/databases.ts'
import { type Cells, csvOf, NOW, ucdpRow } from './formats/fixtures.ts'
import { aRun, importText } from './harness.ts'

async function importAndOffer(store: Store, format: FormatName, rows: readonly Cells[]) {
  const run = aRun(store, format)
  await importText(store, format, csvOf(rows), { run, id: run.id })
  return { id: run.id, ...(await offerPairs(run, store, () => NOW)) }
}

/** The same event as `ucdpRow`, as another data set tells it. */
const acmeRow = (changes: Cells = {}): Cells => ({
  source_id: 'acme:1',
  type: 'military_operation',
  occurred_at: '2021-03-04',
  time_precision: 'day',
  lat: 11.26,
  lng: 13.51,
  state: 'Borno',
  lga: 'Gwoza',
  place: 'Madeup',
  precision: 'settlement',
  killed: 5,
  summary: 'Soldiers fought insurgents at Madeup, and five died.',
  dataset: 'acme',
  ...changes,
})

const CONFIRMED_IMPORTS: DeskQuery = {
  status: 'confirmed',
  order: 'newest',
  origin: 'import',
  words: [],
  claimedBy: null,
  states: null,
  lgas: null,
  types: null,
  severities: null,
  minConfidence: null,
  maxConfidence: null,
  reportedFrom: null,
  reportedTo: null,
  occurredFrom: null,
  occurredTo: null,
  box: null,
}

const DATABASES: readonly [string, () => Promise<EmptyDatabase>][] = [
  ['SQLite', emptyMemory],
  ['PostgreSQL', emptyPostgres],
]
for (const [name, newDatabase] of DATABASES) {
  describe(`duplicates across data sets in ${name}`, { timeout: 60_000 }, () => {
    it('are offered to the desk once, whichever was imported first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const ucdp = [ucdpRow(), ucdpRow({ id: 900002 }), ucdpRow({ id: 900003, latitude: 9.1, adm_1: 'Benue state' })]
      assert.equal((await importAndOffer(store, 'ucdp', ucdp.slice(0, 1))).offered, 0)
      const far = acmeRow({ source_id: 'acme:2', occurred_at: '2021-04-04' })
      const vague = acmeRow({ source_id: 'acme:3', time_precision: 'month' })
      const { id: run, offered } = await importAndOffer(store, 'csv', [acmeRow(), far, vague])
      assert.equal(offered, 1)
      const [ours, other] = [incidentIdOf('acme:1'), incidentIdOf('ucdp:900001')]
      const [pair, ...more] = await store.imports.pairs(run, 10)
      assert.deepEqual([pair!.incidentId, pair!.otherId, more.length], [ours, other, 0])
      assert.ok(pair!.score > 0.9, `score ${pair!.score}`)
      const [note] = await store.incidents.history(ours)
      assert.deepEqual([note!.step, note!.other], ['note', other])
      assert.match(
        note!.note!,
        new RegExp(`^${other} of another data set seems to be the same event \\(score (0\\.9|1)`),
      )
      const { hits } = await store.desk.find(CONFIRMED_IMPORTS, null, 10, 100, NOW)
      assert.deepEqual(
        hits.map(({ id }) => id),
        [ours],
      )
      // A further event of the first data set, and a changed row: only the new pair is offered.
      const again = await importAndOffer(store, 'ucdp', [{ ...ucdp[0], best: 6 }, ...ucdp.slice(1)])
      assert.deepEqual(
        (await store.imports.pairs(again.id, 10)).map(({ incidentId, otherId }) => [incidentId, otherId]),
        [[incidentIdOf('ucdp:900002'), ours]],
      )
      assert.equal(again.offered, 1)
      // A note is no change: the import can be undone.
      const stored = (await store.imports.find(run))!
      const options = { store, run: stored, by: 'Ada', clock: () => NOW, dryRun: false, onRefused: assert.fail }
      assert.equal((await undoImport(options)).retracted, 3)
    })
  })
}
