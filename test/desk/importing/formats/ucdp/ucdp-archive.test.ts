import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { Row } from '../../../../../src/desk/importing/formats/format.ts'
import { ucdp } from '../../../../../src/desk/importing/formats/ucdp/ucdp.ts'
import { reportIn } from '../reading.ts'

const path = fileURLToPath(new URL('../../../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
const absent = existsSync(path) ? false : `${path} is absent: thirty years of UCDP events go untested`

function tally<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

suite('thirty years of UCDP events', { skip: absent }, () => {
  const read = (): Promise<Row[]> =>
    Array.fromAsync(ucdp.read((start) => createReadStream(path, { start }), { now: Date.now() }))
  const rowsInFile = () => (parse(readFileSync(path), { columns: true }) as Record<string, string>[]).slice(1)

  test('each become a report with a unique id', async () => {
    const rows = await read()
    assert.deepEqual(
      rows.filter(({ kind }) => kind === 'rejected'),
      [],
    )
    assert.equal(new Set(rows.map((row) => reportIn(row).sourceId)).size, 4603)
  })

  test('have the states, years and deaths that another parser counts', async () => {
    const reports = (await read()).map((row) => reportIn(row).report)
    const events = rowsInFile()
    assert.deepEqual(
      tally(reports, ({ state, occurred_at }) => `${state ?? ''} ${occurred_at.slice(0, 4)}`),
      tally(events, ({ adm_1, year }) => `${adm_1?.replace(' state', '')} ${year}`),
    )
    assert.equal(
      reports.reduce((sum, { casualties }) => sum + (casualties.killed ?? 0), 0),
      events.reduce((sum, { best }) => sum + Number(best), 0),
    )
    assert.deepEqual(
      reports.map(({ lat, lng }) => [lat, lng]),
      events.map(({ latitude, longitude }) => [Number(latitude), Number(longitude)]),
    )
  })
})
