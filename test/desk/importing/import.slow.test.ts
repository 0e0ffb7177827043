import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { type Checkpoint, readCheckpoint } from '../../../src/desk/importing/import.ts'
import { incidentIdOf } from '../../../src/desk/importing/prepare-row.ts'
import { RejectedRows } from '../../../src/desk/importing/rejected-rows.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { type Incidents, type Store, StoreUnavailable } from '../../../src/store/store.ts'
import { type EmptyDatabase, emptyMemory, emptyPostgres } from '../../store/databases.ts'
import { wholeLog } from '../../store/fixtures.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { oneStoreOf } from '../../support/tier.ts'
import { type Cells, csvOf, featureOf, NOW, ownRow, plainRow } from './formats/fixtures.ts'
import { archiveOf, countsIn, importText } from './harness.ts'

const ndjsonOf = (incidents: readonly Incident[]) => incidents.map((each) => `${JSON.stringify(each)}\n`).join('')
const many = (count: number) => Array.from({ length: count }, (_, index) => anIncident(index + 1))
const reports = (...rows: Cells[]) => csvOf(rows.map(plainRow))
const LATER = NOW + 86_400_000

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incident-feed-import-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const DATABASES: readonly [string, () => Promise<EmptyDatabase>][] = [
  ['SQLite', emptyMemory],
  ['PostgreSQL', emptyPostgres],
]
for (const [name, newDatabase] of oneStoreOf(DATABASES)) {
  describe(`an import into ${name}`, () => {
    it('turns reports into confirmed incidents, published on the day they happened', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const content = reports({ source_publishers: 'Punch', summary: 'Eleven people were abducted.', confidence: 0.5 })
      assert.deepEqual(countsIn(await importText(store, 'csv', content)), { new: 1 })
      const id = incidentIdOf('acme:17')
      const [record] = await store.incidents.findRecords([id])
      const { incident, moderation } = record!
      assert.deepEqual(
        [incident.status, incident.version, incident.occurred_at, incident.published_at, incident.state],
        ['confirmed', 1, '2024-05-01T00:00:00Z', '2024-05-01T00:00:00Z', 'Kaduna'],
      )
      for (const field of ['reported_at', 'confirmed_at', 'updated_at'] as const)
        assert.equal(incident[field], '2026-11-15T00:00:00Z', field)
      assert.ok(incident.confidence_reasons.some(({ reason, value }) => reason === 'import_quality' && value === 0.5))
      assert.deepEqual([moderation?.imported?.source_id, moderation?.imported?.version], ['acme:17', 1])
      assert.deepEqual(
        (await wholeLog(store)).map(({ kind }) => kind),
        ['incident.imported'],
      )
    })

    it('changes nothing when repeated, and applies a changed row', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const row = (killed: number) => reports({ source_id: 'acme:1', killed }, { source_id: 'acme:2' })
      await importText(store, 'csv', row(1))
      const { seq } = await store.events.head()
      assert.deepEqual(countsIn(await importText(store, 'csv', row(1), { clock: () => LATER })), { unchanged: 2 })
      assert.equal((await store.events.head()).seq, seq)

      const again = await importText(store, 'csv', row(2), { clock: () => LATER })
      assert.deepEqual(countsIn(again), { updated: 1, unchanged: 1 })
      const { casualties, version, reported_at, updated_at } = (await store.incidents.find(incidentIdOf('acme:1')))!
      assert.deepEqual(
        [casualties.killed, version, reported_at, updated_at],
        [2, 2, '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z'],
      )
      assert.deepEqual(countsIn(await importText(store, 'csv', row(2))), { unchanged: 2 })
    })

    it('never overwrites an incident that the desk has edited or retracted', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const ids = ['acme:1', 'acme:2', 'acme:3']
      const rows = (killed: number) => reports(...ids.map((source_id) => ({ source_id, killed })))
      await importText(store, 'csv', rows(1))
      const [edited, retracted] = await Promise.all(ids.slice(0, 2).map((id) => store.incidents.find(incidentIdOf(id))))
      const desk = [
        { incident: { ...edited!, summary: 'The desk knows better.', version: 2 }, event: 'incident.updated' },
        { incident: { ...retracted!, status: 'retracted', version: 2 }, event: 'incident.retracted' },
      ] as const
      await store.incidents.save(desk, NOW)
      assert.deepEqual(countsIn(await importText(store, 'csv', rows(1))), { unchanged: 3 })
      const ended = await importText(store, 'csv', rows(2))
      assert.deepEqual(countsIn(ended), { kept: 2, updated: 1 })
      assert.deepEqual(
        ended.tally.kept.map(({ row, reason }) => [row, reason.replace(/inc_\w+ /, '')]),
        [
          [2, 'was changed at the desk since it was imported'],
          [3, 'is retracted'],
        ],
      )
      assert.deepEqual(await store.incidents.find(edited!.id), desk[0].incident)
      assert.deepEqual(await store.incidents.find(retracted!.id), desk[1].incident)
    })

    it('imports exported incidents unchanged, and a round trip in any format changes nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const all = [anIncident(1, { version: 7 }), anIncident(2, { summary: 'Quote " and 🚨' }), anIncident(3)]
      assert.deepEqual(countsIn(await importText(store, 'ndjson', ndjsonOf(all))), { new: 3 })
      assert.deepEqual(await archiveOf(store), all)
      const { seq } = await store.events.head()
      const reversed = (incident: Incident) => Object.fromEntries(Object.entries(incident).reverse())
      for (const [format, content] of [
        ['ndjson', ndjsonOf(all)],
        ['ndjson', all.map((incident) => JSON.stringify(reversed(incident))).join('\n')],
        ['csv', csvOf(all.map(ownRow))],
        ['geojson', JSON.stringify({ type: 'FeatureCollection', features: all.map(featureOf) })],
      ] as const) {
        assert.deepEqual(countsIn(await importText(store, format, content)), { unchanged: 3 }, format)
      }
      assert.equal((await store.events.head()).seq, seq)
      const bytes = (await wholeLog(store)).map(({ document }) => document)
      assert.deepEqual(
        bytes,
        all.map((incident) => JSON.stringify(incident)),
      )
    })

    it('accepts an id twice, within one batch and in different batches', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const twice = reports({ killed: 1 }, { killed: 2 }, { killed: 2 }, { killed: 3 })
      assert.deepEqual(countsIn(await importText(store, 'csv', twice)), { new: 1, updated: 2, unchanged: 1 })
      const { casualties, version } = (await store.incidents.find(incidentIdOf('acme:17')))!
      assert.deepEqual([casualties.killed, version], [3, 3])
      assert.deepEqual(
        (await wholeLog(store)).map(({ kind }) => kind),
        Array(3).fill('incident.imported'),
      )
      const apart = ndjsonOf([...many(1500), anIncident(1), anIncident(2, { summary: 'Edited.' })])
      assert.deepEqual(countsIn(await importText(store, 'ndjson', apart)), { new: 1500, unchanged: 1, updated: 1 })
      assert.equal((await store.incidents.find(incidentId(2)))?.version, 2)
    })

    it('reconciles a batch again after a concurrent write', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await importText(store, 'ndjson', ndjsonOf(many(3)))
      const desk = anIncident(2, { version: 2, summary: 'From the desk.' })
      let written = false
      const findRecords: Incidents['findRecords'] = async (ids) => {
        const found = await store.incidents.findRecords(ids)
        if (!written) await store.incidents.save([{ incident: desk, event: 'incident.updated' }], NOW)
        written = true
        return found
      }
      const edited = ndjsonOf([1, 2, 3].map((number) => anIncident(number, { summary: 'From the file.' })))
      const ended = await importText(withIncidents(store, { findRecords }), 'ndjson', edited)
      assert.deepEqual(countsIn(ended), { updated: 2, kept: 1 })
      assert.deepEqual(await store.incidents.find(desk.id), desk)
    })

    it('continues after an interruption, with the same counts and the same rejected rows', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const lines = many(3500).flatMap((incident, index) =>
        index % 700 === 5 ? [`not JSON ${index}`, JSON.stringify(incident)] : [JSON.stringify(incident)],
      )
      const content = lines.join('\n')
      const path = join(folder, `${name}.rejected.ndjson`)
      const stopping = new AbortController()
      const rejectedRows = await RejectedRows.begin(path)
      const interrupted = await importText(store, 'ndjson', content, {
        rejectedRows,
        signal: stopping.signal,
        onProgress: ({ position }) => position!.row >= 2000 && stopping.abort(),
      })
      await rejectedRows[Symbol.asyncDispose]()
      assert.deepEqual([interrupted.finished, interrupted.position?.row], [false, 2000])
      const checkpoint = readCheckpoint((await store.imports.findCheckpoint('a file'))!) as Checkpoint
      // The state after a kill between the two writes.
      await writeFile(path, 'half a li', { flag: 'a' })
      const resumed = await RejectedRows.resume(path, checkpoint.rejectedBytes)
      const ended = await importText(store, 'ndjson', content, { after: checkpoint, rejectedRows: resumed })
      await resumed[Symbol.asyncDispose]()
      assert.deepEqual([ended.finished, countsIn(ended)], [true, { new: 3500, rejected: 5 }])
      assert.equal(await store.imports.findCheckpoint('a file'), null)
      assert.equal((await wholeLog(store)).length, 3500)
      const rejected = (await readFile(path, 'utf8')).trimEnd().split('\n')
      assert.deepEqual(
        rejected.map((line) => (JSON.parse(line) as { row: number; text: string }).text),
        [5, 705, 1405, 2105, 2805].map((index) => `not JSON ${index}`),
      )
      assert.deepEqual(
        ended.tally.rejected.map(({ row }) => row),
        rejected.map((line) => (JSON.parse(line) as { row: number }).row),
      )
    })
  })
}

/** Returns the store with some methods of its incidents replaced. */
function withIncidents(store: Store, changed: Partial<Incidents>) {
  const { findRecords, save } = { ...store.incidents, ...changed }
  return { imports: store.imports, incidents: { findRecords, save } }
}

describe('an unavailable database', () => {
  it('delays the import, and a batch whose response was lost is not counted twice', async () => {
    await using database = await emptyMemory()
    await using store = await database.open()
    const messages: string[] = []
    let calls = 0
    const save: Incidents['save'] = async (...values) => {
      calls++
      if (calls === 1) throw new StoreUnavailable('away')
      const events = await store.incidents.save(...values)
      if (calls === 2) throw new StoreUnavailable('the answer was lost')
      return events
    }
    const ended = await importText(withIncidents(store, { save }), 'ndjson', ndjsonOf(many(1200)), {
      pauses: [0, 0],
      onUnavailable: ({ message }) => messages.push(message),
    })
    assert.deepEqual([ended.finished, countsIn(ended)], [true, { new: 1200 }])
    assert.deepEqual(messages, ['away', 'the answer was lost'])
  })

  it('ends the import if it stays unavailable, after the last checkpoint', async () => {
    await using database = await emptyMemory()
    await using store = await database.open()
    let calls = 0
    const save: Incidents['save'] = async (...values) => {
      if (++calls > 1) throw new StoreUnavailable('away')
      return store.incidents.save(...values)
    }
    const importing = importText(withIncidents(store, { save }), 'ndjson', ndjsonOf(many(1200)), { pauses: [0, 0] })
    await assert.rejects(importing, StoreUnavailable)
    assert.equal(calls, 4)
    assert.equal(readCheckpoint((await store.imports.findCheckpoint('a file'))!)?.position.row, 1000)
  })
})

describe('invalid rows', () => {
  const BAD: readonly { what: string; cells: Cells; says: RegExp }[] = [
    { what: 'an unknown type', cells: { type: 'kidnaping' }, says: /did you mean kidnapping/ },
    { what: 'no time', cells: { occurred_at: '' }, says: /occurred_at is empty/ },
    { what: 'a time in the future', cells: { occurred_at: '2027-01-01' }, says: /lies in the future/ },
    { what: 'swapped coordinates', cells: { lat: 3.4, lng: 6.5 }, says: /swapped/ },
    { what: 'an unknown place', cells: { state: '', place: 'Qwzxvb' }, says: /is not a known place/ },
    { what: 'an unknown state', cells: { state: 'Kadunna' }, says: /did you mean Kaduna/ },
    {
      what: 'a summary without letters and digits',
      cells: { summary: '…!' },
      says: /the summary has no letter and no digit/,
    },
  ]

  it('are rejected with their number, the reason and their text, and the others are imported', async () => {
    await using database = await emptyMemory()
    await using store = await database.open()
    const path = join(folder, 'bad.rejected.ndjson')
    const blank = { lat: '', lng: '', summary: '' }
    const rows = BAD.flatMap(({ cells }, index) => [
      plainRow({ ...blank, ...cells, source_id: `acme:bad-${index}` }),
      plainRow({ ...blank, source_id: `acme:good-${index}`, place: '' }),
    ])
    const rejectedRows = await RejectedRows.begin(path)
    const ended = await importText(store, 'csv', csvOf(rows), { rejectedRows })
    await rejectedRows[Symbol.asyncDispose]()
    assert.deepEqual(countsIn(ended), { new: BAD.length, rejected: BAD.length })
    const written = (await readFile(path, 'utf8')).trimEnd().split('\n')
    for (const [index, { what, says }] of BAD.entries()) {
      const { row, reason, text } = JSON.parse(written[index]!) as { row: number; reason: string; text: string }
      assert.equal(row, 2 + index * 2, what)
      assert.match(reason, says, what)
      assert.ok(text.startsWith(`acme:bad-${index},`), what)
    }
  })

  it('include exported incidents that are not confirmed', async () => {
    await using database = await emptyMemory()
    await using store = await database.open()
    const ended = await importText(store, 'ndjson', ndjsonOf([anIncident(1, { status: 'retracted' }), anIncident(2)]))
    assert.deepEqual(countsIn(ended), { new: 1, rejected: 1 })
    assert.match(ended.tally.rejected[0]!.reason, /its status is retracted: only confirmed incidents are imported/)
  })
})

describe('thirty years of UCDP events', () => {
  const path = fileURLToPath(new URL('../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
  const absent = existsSync(path) ? false : `${path} is absent: the import of thirty years of UCDP events goes untested`

  /**
   * 25 rows name no state (a road between two, a border, "Nigeria") and one names Gongola, which
   * was divided in 1991. They are counted in the state in which their point lies by the borders
   * that come with us. By geoBoundaries' polygons 21 of them lie there too; the other five lie on a
   * border (the Niger bridge, Cross River and Ebonyi, Taraba and Benue), on its other side.
   */
  const BY_THEIR_POINT: Readonly<Record<string, number>> = {
    Adamawa: 1,
    Bauchi: 1,
    Benue: 1,
    Borno: 3,
    'Cross River': 4,
    Delta: 1,
    Gombe: 2,
    Kaduna: 7,
    Kano: 1,
    Taraba: 5,
  }
  const NAMED_OTHERWISE: Readonly<Record<string, string>> = { 'Federal Capital territory': 'Federal Capital Territory' }
  const NO_STATE_OF_TODAY = ['', 'Gongola state']

  function tally(names: Iterable<string>): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }

  suite('thirty years of UCDP events', { skip: absent }, () => {
    test('are imported completely, by state and year as another parser counts them; a second import changes nothing', async () => {
      await using database = await emptyMemory()
      await using store = await database.open()
      const content = readFileSync(path)
      assert.deepEqual(countsIn(await importText(store, 'ucdp', content)), { new: 4603 })

      const incidents = await archiveOf(store)
      const events = (parse(content, { columns: true }) as Record<string, string>[]).slice(1)
      const named = events.filter(({ adm_1 }) => !NO_STATE_OF_TODAY.includes(adm_1!))
      const states = named.map(({ adm_1 }) => NAMED_OTHERWISE[adm_1!] ?? adm_1!.replace(/ state$/, ''))
      const byPoint = Object.entries(BY_THEIR_POINT).flatMap(([state, count]) => Array<string>(count).fill(state))
      assert.equal(states.length + byPoint.length, 4603)
      assert.deepEqual(tally(incidents.map(({ state }) => state)), tally([...states, ...byPoint]))
      assert.deepEqual(
        tally(incidents.map(({ published_at }) => published_at!.slice(0, 4))),
        tally(events.map(({ date_start }) => date_start!.slice(0, 4))),
      )

      const { seq } = await store.events.head()
      assert.deepEqual(countsIn(await importText(store, 'ucdp', content)), { unchanged: 4603 })
      assert.equal((await store.events.head()).seq, seq)
      assert.deepEqual(await archiveOf(store), incidents)
    })
  })
})
