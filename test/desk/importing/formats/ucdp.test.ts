import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { describe, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { Row } from '../../../../src/desk/importing/formats/format.ts'
import { DATE_PRECISION, ucdp, WHERE_PRECISION } from '../../../../src/desk/importing/formats/ucdp.ts'
import type { IncidentType } from '../../../../src/domain/taxonomy.ts'
import { type Cells, csvOf, outcomes, reportIn, rowOf, rowsOf, ucdpRow } from './fixtures.ts'

const read = async (changes: Cells) => reportIn(await rowOf(ucdp, csvOf([ucdpRow(changes)])))

test('a row becomes a report', async () => {
  const { row, sourceId, report, radiusKm, quality } = await read({})
  assert.deepEqual({ row, sourceId, radiusKm, quality }, { row: 2, sourceId: 'ucdp:900001', radiusKm: 3, quality: 1 })
  assert.deepEqual(report, {
    type: 'military_operation',
    severity: null,
    occurred_at: '2021-03-04T00:00:00.000Z',
    time_precision: 'day',
    lat: 11.25,
    lng: 13.5,
    state: 'Borno',
    lga: 'Gwoza',
    place: 'Madeup',
    precision: 'settlement',
    summary:
      "Fighting between the Government of Nigeria and IS: Madeup town, near the market, Borno state. UCDP's best estimate is 5 deaths (between 5 and 7).",
    sources: [
      { url: null, publisher: 'Example Wire', published_at: '2021-03-05T00:00:00.000Z', official: false },
      { url: null, publisher: 'Example Daily', published_at: '2021-03-06T00:00:00.000Z', official: false },
    ],
    dataset: 'ucdp',
    attribution: 'UCDP Georeferenced Event Dataset, Uppsala Conflict Data Program, CC BY 4.0',
    casualties: { killed: 5, injured: null, abducted: null },
  })
})

test('the HDX tag row is skipped, in a file with numbered rows and numbers written as 1.0', async () => {
  const numbered = (index: number, row: Cells): Cells => ({ '': index, ...row })
  const tags = Object.fromEntries(
    Object.keys(ucdpRow()).map((column) => [column, column === 'adm_1' ? '#adm1+name' : '']),
  )
  const row = ucdpRow({ id: '900001.0', type_of_violence: '3.0', where_prec: '4.0', best: '5.0' })
  const rows = await rowsOf(ucdp, csvOf([numbered(0, tags), numbered(1, row)]))
  assert.deepEqual(outcomes(rows), ['3 ucdp:900001'])
  assert.equal(reportIn(rows[0]!).report.precision, 'state')
})

test('tags in a later row are not skipped', async () => {
  const tags = Object.fromEntries(Object.keys(ucdpRow()).map((column) => [column, '#adm1+name']))
  const rows = await rowsOf(ucdp, csvOf([ucdpRow(), tags]))
  assert.equal(rows[1]?.kind, 'rejected')
})

test('columns are found in any order and case, and the optional ones may be missing', async () => {
  const needed = [
    'best_est',
    'date_start',
    'country',
    'longitude',
    'latitude',
    'side_b',
    'side_a',
    'type_of_violence',
    'id',
  ]
  const all: Cells = { ...ucdpRow(), best_est: 5 }
  const row = Object.fromEntries(needed.map((column) => [column.toUpperCase(), all[column]!]))
  const { report, radiusKm, quality } = reportIn(await rowOf(ucdp, csvOf([row])))
  assert.deepEqual([report.precision, radiusKm, quality, report.state, report.lga, report.place], Array(6).fill(null))
  assert.deepEqual(
    report.sources.map(({ publisher }) => publisher),
    ['Uppsala Conflict Data Program'],
  )
  assert.equal(report.casualties.killed, 5)
})

const types: { sides: [string, string]; violence: number; deaths?: [number, number, number]; type: IncidentType }[] = [
  { violence: 1, sides: ['Government of Nigeria', 'IS'], deaths: [0, 9, 2], type: 'military_operation' },
  { violence: 1, sides: ['Government of Nigeria', 'IS'], deaths: [9, 2, 2], type: 'attack_on_security_forces' },
  { violence: 1, sides: ['Government of Nigeria', 'IS'], deaths: [1, 1, 9], type: 'insurgent_attack' },
  { violence: 1, sides: ['Government of Nigeria', 'IPOB'], deaths: [9, 0, 0], type: 'separatist_violence' },
  { violence: 2, sides: ["Jama'atu Ahlis Sunna of Madeup", 'Vigilantes of Madeup'], type: 'insurgent_attack' },
  { violence: 2, sides: ['Fulani', 'Madeup people'], type: 'farmer_herder_clash' },
  { violence: 2, sides: ['Example Confraternity', 'Another Cult'], type: 'cult_clash' },
  { violence: 2, sides: ['Christians (Madeup)', 'Muslims (Madeup)'], type: 'sectarian_violence' },
  { violence: 2, sides: ['Supporters of one party', 'Supporters of another'], type: 'political_violence' },
  { violence: 2, sides: ['NURTW-One', 'NURTW-Another'], type: 'gang_violence' },
  { violence: 2, sides: ['One people', 'Another people'], type: 'communal_clash' },
  { violence: 3, sides: ['Government of Nigeria', 'Civilians'], type: 'military_operation' },
  { violence: 3, sides: ['IS', 'Civilians'], type: 'insurgent_attack' },
  { violence: 3, sides: ['Bandits of Madeup', 'Civilians'], type: 'banditry' },
  { violence: 3, sides: ['Yan Sakai', 'Civilians'], type: 'mob_violence' },
  { violence: 3, sides: ['Forces of somebody', 'Civilians'], type: 'gang_violence' },
  { violence: 3, sides: ['Somebody', 'Civilians'], type: 'banditry' },
]

suite('the type follows from the violence and its actors', () => {
  for (const { sides, violence, deaths, type } of types) {
    test(`${sides.join(' – ')}: ${type}`, async () => {
      const [deaths_a, deaths_b, deaths_civilians] = deaths ?? [0, 0, 0]
      const { report } = await read({
        type_of_violence: violence,
        side_a: sides[0],
        side_b: sides[1],
        deaths_a,
        deaths_b,
        deaths_civilians,
      })
      assert.equal(report.type, type)
    })
  }
})

test('the tables decide the precision of place and time', async () => {
  for (const [code, { precision, radiusKm, named }] of Object.entries(WHERE_PRECISION)) {
    const row = await read({ where_prec: code })
    assert.deepEqual(
      [row.report.precision, row.radiusKm, row.report.place],
      [precision, radiusKm, named ? 'Madeup' : null],
    )
  }
  for (const [code, precision] of Object.entries(DATE_PRECISION)) {
    assert.equal((await read({ date_prec: code })).report.time_precision, precision)
  }
  assert.equal((await read({ event_clarity: 2 })).quality, 0.5)
})

test('publishers are read from citations if no office is named', async () => {
  const source_article =
    'AFP 2009-07-27 "A title"; "the rest of it"; Reuters News 3 May 2010 Another title\nExample Watch database'
  const { report } = await read({ source_office: '', source_date: '', source_article })
  assert.deepEqual(
    report.sources.map(({ publisher, published_at }) => [publisher, published_at?.slice(0, 10) ?? null]),
    [
      ['AFP', '2009-07-27'],
      ['Reuters News', '2010-05-03'],
      ['Example Watch', null],
    ],
  )
})

test('an army is an official source, a study of it is not', async () => {
  const source_office = 'Nigerian Army;War crimes committed by the Nigerian army in the north-east'
  const { report } = await read({ source_office })
  assert.deepEqual(
    report.sources.map(({ official }) => official),
    [true, false],
  )
})

describe('thirty years of events', () => {
  const path = fileURLToPath(new URL('../../../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
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
})
