import assert from 'node:assert/strict'
import { describe, suite, test } from 'node:test'
import {
  acled,
  GEO_PRECISION,
  judgeNotes,
  STRATEGIC_NOTES,
  TIME_PRECISION,
} from '../../../../src/desk/importing/formats/acled.ts'
import type { IncidentType } from '../../../../src/domain/taxonomy.ts'
import { acledRow, type Cells, csvOf, reportIn, rowOf } from './fixtures.ts'

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

describe('notes', () => {
  const rowWith = (changes: Cells) => rowOf(acled, csvOf([acledRow(changes)]))

  const ATTACK = { event_type: 'Violence against civilians', sub_event_type: '' }
  const BATTLE = { event_type: 'Battle-No change of territory', sub_event_type: '' }
  const REMOTE = { event_type: 'Remote violence', sub_event_type: '' }
  const ARMY = 'Military Forces of Nigeria (2010-2015)'
  const BOKO_HARAM = 'Boko Haram - Jamatu Ahli is-Sunnah lid-Dawatai wal-Jihad'

  /** All notes are made up. */
  const CORRECTED: readonly (readonly [what: Cells, actors: [string, string], notes: string, type: IncidentType])[] = [
    [
      ATTACK,
      ['Unidentified Armed Group (Nigeria)', 'Civilians'],
      'Gunmen kidnapped a cleric on the Madeup road.',
      'kidnapping',
    ],
    [
      ATTACK,
      ['Unidentified Armed Group', 'Civilians'],
      'An oil worker was abducted by unknown men. No fatalities.',
      'kidnapping',
    ],
    [ATTACK, ['Militia (Bandits)', 'Civilians'], 'Bandits abducted 23 travellers near Madeup.', 'mass_abduction'],
    [ATTACK, [BOKO_HARAM, 'Civilians'], 'Boko Haram abducted twelve women from Madeup village.', 'mass_abduction'],
    [ATTACK, ['Kidnappers', 'Civilians'], 'The mother of a lawmaker was kidnapped from her house.', 'kidnapping'],
    [ATTACK, [BOKO_HARAM, 'Civilians'], 'Boko Haram gunmen shot dead four people in Madeup.', 'insurgent_attack'],
    [ATTACK, ['Unidentified Armed Group', 'Civilians'], 'Gunmen attacked the village and killed seven.', 'banditry'],
    [
      BATTLE,
      [BOKO_HARAM, ARMY],
      'Boko Haram ambushed a military convoy near Madeup, killing six soldiers.',
      'attack_on_security_forces',
    ],
    [BATTLE, [BOKO_HARAM, ARMY], 'Boko Haram militants raided the town; soldiers fought back.', 'insurgent_attack'],
    [BATTLE, [BOKO_HARAM, ARMY], 'Troops raided a camp of Boko Haram and killed 14 insurgents.', 'military_operation'],
    [BATTLE, [ARMY, BOKO_HARAM], 'Soldiers clashed with Boko Haram.', 'military_operation'],
    [
      BATTLE,
      ['Unidentified Armed Group', 'Police Forces of Nigeria'],
      'Gunmen attacked a police station, killing two officers.',
      'attack_on_security_forces',
    ],
    [BATTLE, ['Militia (Bandits)', ARMY], 'Made up.', 'attack_on_security_forces'],
    [BATTLE, [ARMY, 'Militia (Bandits)'], 'Made up.', 'military_operation'],
    [REMOTE, [ARMY, BOKO_HARAM], 'Air strikes by the Nigerian Air Force destroyed a camp.', 'military_operation'],
    [REMOTE, ['Unidentified Armed Group', ''], 'Fighter jets bombed hideouts in the forest.', 'military_operation'],
    [REMOTE, [BOKO_HARAM, 'Civilians'], 'A suicide bomber killed eleven at a market.', 'explosion'],
    [REMOTE, [BOKO_HARAM, ARMY], 'A roadside bomb hit a patrol.', 'explosion'],
  ]

  suite('notes correct the type that the codes give', () => {
    for (const [what, [actor1, actor2], notes, type] of CORRECTED) {
      test(`${what.event_type}: ${notes}`, async () => {
        const { report } = reportIn(await rowWith({ ...what, actor1, actor2, notes }))
        assert.equal(report.type, type)
        assert.equal(report.summary, notes)
      })
    }
  })

  test('the number abducted is read where the type is an abduction', async () => {
    const abducted = async (notes: string) =>
      reportIn(await rowWith({ ...ATTACK, actor1: 'Unidentified', notes })).report.casualties.abducted
    assert.equal(await abducted('Bandits abducted 23 travellers near Madeup.'), 23)
    assert.equal(await abducted('Gunmen killed four people and burnt 20 houses.'), null)
  })

  /**
   * Rows of the kinds "Strategic development" and "Other", which are incidents or not by their notes.
   */
  const JUDGED: readonly (readonly [notes: string, type: IncidentType | null])[] = [
    ['Police arrested four suspected members of Boko Haram in Madeup.', 'military_operation'],
    ['The JTF discovered and defused three bombs under a bridge.', 'military_operation'],
    ['Soldiers recovered rifles and ammunition in a house.', 'military_operation'],
    ['Military forces intercepted a vehicle with explosives.', 'military_operation'],
    ['Unidentified men set fire to ten houses in Madeup. No casualties.', 'armed_robbery'],
    ['Youths looted shops in the market.', 'armed_robbery'],
    ['Gunmen kidnapped a trader in Madeup.', 'kidnapping'],
    ['Vandals blew up a crude oil pipeline near Madeup.', 'pipeline_vandalism'],
    ['Kidnapped schoolgirls were freed in Madeup.', 'hostage_release'],
    ['Bandits rustled 200 cows in Madeup.', 'cattle_rustling'],
    ['The government and the militants signed a ceasefire agreement.', null],
    ['A new faction of the group was announced.', null],
    ['The army deployed troops to Madeup ahead of the elections.', null],
    ['The governor imposed a curfew in Madeup.', null],
    ['The group threatened to attack oil firms.', null],
    ['Forty militants surrendered under the amnesty.', null],
    ['', null],
  ]

  suite('a strategic development is judged by its notes', () => {
    for (const [notes, type] of JUDGED) {
      test(notes || '(no notes)', async () => {
        for (const what of [
          { event_type: 'Strategic development', sub_event_type: '' },
          { event_type: 'Strategic developments', sub_event_type: 'Other' },
        ]) {
          const row = await rowWith({ ...what, actor1: 'Unidentified', actor2: '', fatalities: 0, notes })
          if (type === null) assert.match(JSON.stringify(row), /tell of no incident/)
          else assert.equal(reportIn(row).report.type, type)
        }
      })
    }
  })

  for (const { means, words, example } of STRATEGIC_NOTES) {
    test(`“${example}” is ${means}`, () => {
      assert.match(example, words)
      assert.equal(judgeNotes(example)?.type, means)
    })
  }
})
