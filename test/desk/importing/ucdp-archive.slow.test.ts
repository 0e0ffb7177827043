import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { emptyMemory } from '../../store/empty-database.ts'
import { archiveOf, countsIn, importText } from './harness.ts'

const path = fileURLToPath(new URL('../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
const absent = existsSync(path) ? false : `${path} is absent: the import of thirty years of UCDP events goes untested`

/**
 * 25 rows name no state (a road between two, a border, "Nigeria") and one names Gongola, which was
 * divided in 1991. They are counted in the state in which their point lies by the borders that come
 * with us. By geoBoundaries' polygons 21 of them lie there too; the other five lie on a border (the
 * Niger bridge, Cross River and Ebonyi, Taraba and Benue), on its other side.
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
