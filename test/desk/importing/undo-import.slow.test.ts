import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { FormatName } from '../../../src/desk/importing/import.ts'
import { offerPairs } from '../../../src/desk/importing/offer-pairs.ts'
import { incidentIdOf } from '../../../src/desk/importing/prepare-row.ts'
import { type UndoOptions, undoImport } from '../../../src/desk/importing/undo-import.ts'
import { orderIncidentFields } from '../../../src/domain/incident.ts'
import { type DeskQuery, NO_DESK_CONDITIONS, type Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, emptyMemory, emptyPostgres } from '../../store/databases.ts'
import { wholeLog } from '../../store/fixtures.ts'
import { anIncident } from '../../support/incident.ts'
import { oneStoreOf } from '../../support/tier.ts'
import { type Cells, csvOf, NOW, plainRow, ucdpRow } from './formats/fixtures.ts'
import { aRun, archiveOf, countsIn, importText } from './harness.ts'

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
for (const [name, newDatabase] of oneStoreOf(DATABASES)) {
  describe(`undoing an import into ${name}`, () => {
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

describe('a poorer release after a richer one', () => {
  const path = fileURLToPath(new URL('../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
  const absent = existsSync(path) ? false : `${path} is absent: a poorer release after a richer one goes untested`

  /** Columns that a later release lacked. */
  const DROPPED = [
    'adm_2',
    'where_prec',
    'where_description',
    'low',
    'high',
    'deaths_a',
    'deaths_b',
    'deaths_civilians',
  ]
  const ALSO_DROPPED = ['date_prec', 'date_end', 'event_clarity', 'source_office', 'source_date', 'source_article']
  const DAY = 86_400_000

  type Event = Record<string, string>

  /**
   * The same events with fewer columns, another estimate for every fiftieth, and two more events.
   */
  function poorerRelease(events: readonly Event[]) {
    const kept = events.map((event, index) => {
      const row = Object.fromEntries(
        Object.entries(event).filter(([name]) => ![...DROPPED, ...ALSO_DROPPED].includes(name)),
      )
      return index % 50 === 0 ? { ...row, best: String(Number(event.best ?? event.best_est) + 3) } : row
    })
    const more = [900_000_001, 900_000_002].map((id) => ({ ...kept[1]!, id: String(id), best: '1' }))
    return csvOf([...kept, ...more])
  }

  /** The stored text of every incident, by id. */
  async function documentsOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
    return new Map((await store.incidents.current(ids)).map(({ id, document }) => [id, document]))
  }

  /** An undo is a change: its number and its time are new. */
  function withoutVersion(document: string): string {
    return document.replace(/"updated_at":"[^"]*"/, '"updated_at":""').replace(/"version":\d+/, '"version":0')
  }

  suite('a poorer release of UCDP after a richer one', { skip: absent }, () => {
    test('takes nothing back, says in history what it changed, and is undone to the byte', async () => {
      await using database = await emptyMemory()
      await using store = await database.open()
      const content = readFileSync(path)
      const events = (parse(content, { columns: true }) as Event[]).slice(1)
      const ids = events.map(({ id }) => incidentIdOf(`ucdp:${Number(id)}`))
      assert.deepEqual(countsIn(await importText(store, 'ucdp', content)), { new: 4603 })
      const before = await documentsOf(store, ids)
      const { seq } = await store.events.head()

      const run = aRun(store, 'ucdp')
      const clock = () => NOW + DAY
      const again = await importText(store, 'ucdp', poorerRelease(events), { run, clock, id: 'poorer' })
      assert.deepEqual(countsIn(again), { new: 2, updated: 93, poorer: 4510 })
      const after = await documentsOf(store, ids)
      const changed = ids.filter((id) => after.get(id) !== before.get(id))
      assert.equal(changed.length, 93)
      for (const id of changed) {
        const [old, now] = [before, after].map((documents) => JSON.parse(documents.get(id)!))
        assert.equal(now.casualties.killed, old.casualties.killed + 3)
        for (const field of ['state', 'lga', 'lat', 'lng', 'location', 'sources', 'occurred_at', 'occurred_until'])
          assert.deepEqual(now[field], old[field], `${field} of ${id}`)
        assert.equal(now.type, old.type)
        assert.equal(now.summary.split(" UCDP's")[0], old.summary.split(" UCDP's")[0])
        const [entry, ...more] = await store.incidents.history(id)
        assert.deepEqual([entry!.step, entry!.note, more.length], ['import', run.id, 0])
        const toll = entry!.changes.find(({ field }) => field === 'casualties')!
        assert.deepEqual([toll.old, toll.new], [old.casualties, now.casualties])
      }
      const { poorerFields, poorer } = again.tally
      assert.ok(poorerFields.lga! > 3800, `${poorerFields.lga} LGAs`)
      assert.match(poorer[0]!.reason, /^inc_\w+ keeps its .*lga.*sources/)

      const stored = (await store.imports.find(run.id))!
      const refused: string[] = []
      const undone = await undoImport({
        store,
        run: stored,
        by: 'Ada',
        clock,
        dryRun: false,
        onRefused: (id) => refused.push(id),
      })
      assert.deepEqual([undone.restored, undone.retracted, undone.refused, refused], [93, 2, 0, []])
      const restored = await documentsOf(store, ids)
      for (const id of ids) {
        const isChanged = changed.includes(id)
        assert.equal(
          isChanged ? withoutVersion(restored.get(id)!) : restored.get(id),
          isChanged ? withoutVersion(before.get(id)!) : before.get(id),
        )
      }
      const log = await store.events.after(seq, 1_000)
      assert.deepEqual([log.length, new Set(log.map(({ kind }) => kind))], [2 * 95, new Set(['incident.imported'])])
      assert.equal((await store.imports.find(run.id))!.state, 'undone')
      // The richer file is still known row by row.
      assert.deepEqual(countsIn(await importText(store, 'ucdp', content)), { unchanged: 4603 })
    })
  })
})

describe('offer pairs', () => {
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
    ...NO_DESK_CONDITIONS,
    status: 'confirmed',
    order: 'newest',
    origin: 'import',
  }

  const DATABASES: readonly [string, () => Promise<EmptyDatabase>][] = [
    ['SQLite', emptyMemory],
    ['PostgreSQL', emptyPostgres],
  ]
  for (const [name, newDatabase] of oneStoreOf(DATABASES)) {
    describe(`duplicates across data sets in ${name}`, () => {
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
})
