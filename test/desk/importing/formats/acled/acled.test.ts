import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { acled } from '../../../../../src/desk/importing/formats/acled/acled.ts'
import { GEO_PRECISION, TIME_PRECISION } from '../../../../../src/desk/importing/formats/acled/acled-tables.ts'
import type { IncidentType } from '../../../../../src/domain/taxonomy.ts'
import { acledRow, type Cells, csvOf } from '../fixtures.ts'
import { reportIn, rowOf } from '../reading.ts'

const read = async (changes: Cells) => reportIn(await rowOf(acled, csvOf([acledRow(changes)])))

test('a row becomes a report', async () => {
  const { row, sourceId, report, radiusKm, quality } = await read({})
  assert.deepEqual(
    { row, sourceId, radiusKm, quality },
    { row: 2, sourceId: 'acled:NIG99001', radiusKm: 3, quality: null },
  )
  assert.deepEqual(report, {
    type: 'banditry',
    severity: null,
    occurred_at: '2021-03-04T00:00:00.000Z',
    time_precision: 'day',
    lat: 10.45,
    lng: 7.33,
    state: 'Kaduna',
    lga: 'Chikun',
    place: 'Madeup',
    precision: 'settlement',
    summary: 'On 4 March 2021, something was made up in Madeup. 3 fatalities.',
    sources: [
      { url: null, publisher: 'Example Daily (Nigeria)', published_at: null, official: false },
      { url: null, publisher: 'Example Wire', published_at: null, official: false },
    ],
    dataset: 'acled',
    attribution: 'Armed Conflict Location & Event Data (ACLED), acleddata.com',
    casualties: { killed: 3, injured: null, abducted: null },
  })
})

test('older files are read, with other capitals, two other column names and semicolons', async () => {
  const {
    assoc_actor_1,
    assoc_actor_2,
    sub_event_type: _,
    ...rest
  } = acledRow({ event_type: 'Remote violence', source: 'Example Daily' })
  const old = { ...rest, ally_actor_1: assoc_actor_1!, ally_actor_2: assoc_actor_2!, gwno: 475 }
  const upper = Object.fromEntries(Object.entries(old).map(([column, cell]) => [column.toUpperCase(), cell]))
  const { report } = reportIn(await rowOf(acled, csvOf([upper]).replaceAll(',', ';')))
  assert.equal(report.type, 'explosion')
})

test('dates are read in several formats', async () => {
  for (const event_date of [
    '04 March 2021',
    '4 March 2021',
    '2021-03-04',
    '04-Mar-21',
    '04-March-2021',
    '04/03/2021',
  ]) {
    assert.equal((await read({ event_date })).report.occurred_at, '2021-03-04T00:00:00.000Z', event_date)
  }
  assert.equal((await read({ event_date: '04-Mar-98' })).report.occurred_at, '1998-03-04T00:00:00.000Z')
})

const types: { event: string; sub: string; actors: [string, string]; type: IncidentType }[] = [
  {
    event: 'Battles',
    sub: 'Armed clash',
    actors: ['Military Forces of Nigeria (2015-2023)', 'Boko Haram'],
    type: 'military_operation',
  },
  { event: 'Battles', sub: 'Armed clash', actors: ['Boko Haram', 'Civilian JTF'], type: 'insurgent_attack' },
  { event: 'Battles', sub: 'Armed clash', actors: ['Aiye Confraternity', 'Eiye Confraternity'], type: 'cult_clash' },
  {
    event: 'Battles',
    sub: 'Armed clash',
    actors: ['Fulani Ethnic Militia (Nigeria)', 'Tiv Ethnic Militia'],
    type: 'farmer_herder_clash',
  },
  {
    event: 'Battles',
    sub: 'Armed clash',
    actors: ['One Communal Militia', 'Another Communal Militia'],
    type: 'communal_clash',
  },
  {
    event: 'Battles',
    sub: 'Non-state actor overtakes territory',
    actors: ['Islamic State (West Africa)', ''],
    type: 'insurgent_attack',
  },
  {
    event: 'Violence against civilians',
    sub: 'Abduction/forced disappearance',
    actors: ['Unidentified', ''],
    type: 'kidnapping',
  },
  {
    event: 'Violence against civilians',
    sub: 'Attack',
    actors: ['Police Forces of Nigeria', 'Civilians'],
    type: 'military_operation',
  },
  { event: 'Violence against civilians', sub: 'Attack', actors: ['Pirates (Nigeria)', 'Sailors'], type: 'piracy' },
  { event: 'Violence against civilians', sub: 'Attack', actors: ['Unidentified', 'Boko Haram'], type: 'banditry' },
  {
    event: 'Explosions/Remote violence',
    sub: 'Air/drone strike',
    actors: ['Military Forces', ''],
    type: 'military_operation',
  },
  { event: 'Explosions/Remote violence', sub: 'Suicide bomb', actors: ['Boko Haram', ''], type: 'explosion' },
  { event: 'Riots', sub: 'Mob violence', actors: ['Rioters (Nigeria)', ''], type: 'mob_violence' },
  { event: 'Protests', sub: 'Peaceful protest', actors: ['Protesters (Nigeria)', ''], type: 'protest' },
  {
    event: 'Strategic developments',
    sub: 'Looting/property destruction',
    actors: ['Unidentified', ''],
    type: 'armed_robbery',
  },
  { event: 'Riots/Protests', sub: '', actors: ['Rioters (Nigeria)', ''], type: 'riot' },
  { event: 'Riots/Protests', sub: '', actors: ['Protesters (Nigeria)', ''], type: 'protest' },
  {
    event: 'Battle-No change of territory',
    sub: '',
    actors: ['One militia', 'Another militia'],
    type: 'communal_clash',
  },
]

suite('the type follows from the event, its kind and its actors', () => {
  for (const { event, sub, actors, type } of types) {
    test(`${event} / ${sub}, ${actors.join(' – ')}: ${type}`, async () => {
      const { report } = await read({ event_type: event, sub_event_type: sub, actor1: actors[0], actor2: actors[1] })
      assert.equal(report.type, type)
    })
  }
})

test('the tables decide the precision of place and time', async () => {
  for (const [code, { precision, radiusKm, named }] of Object.entries(GEO_PRECISION)) {
    const row = await read({ geo_precision: code })
    assert.deepEqual(
      [row.report.precision, row.radiusKm, row.report.place],
      [precision, radiusKm, named ? 'Madeup' : null],
    )
  }
  for (const [code, precision] of Object.entries(TIME_PRECISION)) {
    assert.equal((await read({ time_precision: code })).report.time_precision, precision)
  }
})
