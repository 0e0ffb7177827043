import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { incidentIdOf } from '../../../../src/desk/importing/digest.ts'
import { undoImport } from '../../../../src/desk/importing/undo/undo-import.ts'
import type { Store } from '../../../../src/store/store.ts'
import { emptyMemory } from '../../../store/empty-database.ts'
import { csvOf } from '../formats/fixtures.ts'
import { NOW } from '../formats/reading.ts'
import { aRun, countsIn, importText } from '../harness.ts'

const path = fileURLToPath(new URL('../../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
const absent = existsSync(path) ? false : `${path} is absent: a poorer release after a richer one goes untested`

/** Columns that a later release lacked. */
const DROPPED = ['adm_2', 'where_prec', 'where_description', 'low', 'high', 'deaths_a', 'deaths_b', 'deaths_civilians']
const ALSO_DROPPED = ['date_prec', 'date_end', 'event_clarity', 'source_office', 'source_date', 'source_article']
const DAY = 86_400_000

type Event = Record<string, string>

/** The same events with fewer columns, another estimate for every fiftieth, and two more events. */
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

suite('a poorer release of UCDP after a richer one', { skip: absent, timeout: 120_000 }, () => {
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
