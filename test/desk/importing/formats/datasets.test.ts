import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { describe, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { USAGE } from '../../../../src/cli/import-options.ts'
import {
  ACLED_ACTORS,
  ACLED_TYPES,
  acled,
  GEO_PRECISION,
  judgeNotes,
  STRATEGIC_NOTES,
  TIME_PRECISION,
} from '../../../../src/desk/importing/formats/acled.ts'
import { FIELDS } from '../../../../src/desk/importing/formats/flat-rows.ts'
import type { Row } from '../../../../src/desk/importing/formats/format.ts'
import {
  CLARITY,
  DATE_PRECISION,
  UCDP_COLUMNS,
  UCDP_TYPES,
  ucdp,
  VIOLENCE,
  WHERE_PRECISION,
} from '../../../../src/desk/importing/formats/ucdp.ts'
import { ACTORS } from '../../../../src/desk/importing/formats/values.ts'
import { FORMATS } from '../../../../src/desk/importing/import.ts'
import { OUTCOMES } from '../../../../src/domain/import-report.ts'
import type { IncidentType } from '../../../../src/domain/taxonomy.ts'
import { acledRow, type Cells, csvOf, outcomes, reportIn, rowOf, rowsOf, ucdpRow } from './fixtures.ts'

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
   * Rows of the kinds "Strategic development" and "Other", which are incidents or not by their
   * notes.
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

describe('ucdp', () => {
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

  const types: { sides: [string, string]; violence: number; deaths?: [number, number, number]; type: IncidentType }[] =
    [
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
})

describe('importing page', () => {
  const line = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
  const table = (head: string[], rows: string[]): string =>
    [line(...head), `|${head.map(() => '---|').join('')}`, ...rows].join('\n')
  const code = (text: string): string => `\`${text}\``

  const BY_ACTORS = { clash: 'by the actors: clash', attack: 'by the actors: attack', loot: 'by the actors: loot' }

  function verdict(verdict: string | null): string {
    if (verdict === null) return 'rejected: no incident'
    if (verdict === 'notes') return 'by the notes'
    if (verdict === 'demonstration') return '`riot` where actor1 begins with “Rioters”, else `protest`'
    return BY_ACTORS[verdict as keyof typeof BY_ACTORS] ?? code(verdict)
  }

  /** The tables of docs/importing.md, generated from the code. */
  const TABLES: Record<string, string> = {
    'kinds of actors': table(
      ['kind', 'words'],
      Object.entries(ACTORS).map(([actor, words]) => line(actor, words.join(', '))),
    ),
    'types of UCDP': table(
      ['type_of_violence', 'one side is', 'lost most', 'type'],
      UCDP_TYPES.map(({ violence, actor, lostMost, type }) =>
        line(`${violence}, ${VIOLENCE[violence]}`, actor ?? 'any', lostMost ?? 'any', code(type)),
      ),
    ),
    'places of UCDP': table(
      ['where_prec', 'means', 'precision', 'radius'],
      Object.entries(WHERE_PRECISION).map(([prec, { meaning, precision, radiusKm }]) =>
        line(prec, meaning, code(precision), `${radiusKm} km`),
      ),
    ),
    'times of UCDP': table(
      ['date_prec', 'time_precision'],
      Object.entries(DATE_PRECISION).map(([prec, precision]) => line(prec, code(precision))),
    ),
    'quality of UCDP': table(
      ['event_clarity', 'quality'],
      Object.entries(CLARITY).map(([clarity, quality]) => line(clarity, quality)),
    ),
    'columns of UCDP': Object.values(UCDP_COLUMNS)
      .filter(({ needed }) => needed)
      .map(({ names }) => names.map(code).join(' or '))
      .join(', '),
    'types of ACLED': table(
      ['event_type', 'sub_event_type', 'type'],
      Object.entries(ACLED_TYPES).flatMap(([event, subEvents]) =>
        Object.entries(subEvents).map(([subEvent, type]) => line(event, subEvent || '(none)', verdict(type))),
      ),
    ),
    'actors of ACLED': table(
      ['', ...Object.keys(ACLED_ACTORS)],
      [...Object.keys(ACTORS), '*'].map((actor) =>
        line(
          actor === '*' ? 'none of these' : actor,
          ...Object.values(ACLED_ACTORS).map((rules) => {
            const place = rules.findIndex(([kind]) => kind === actor)
            return place === -1 ? '' : `${place + 1}. ${code(rules[place]![1])}`
          }),
        ),
      ),
    ),
    'places of ACLED': table(
      ['geo_precision', 'precision', 'radius'],
      Object.entries(GEO_PRECISION).map(([prec, { precision, radiusKm }]) =>
        line(prec, code(precision), `${radiusKm} km`),
      ),
    ),
    'times of ACLED': table(
      ['time_precision', 'time_precision here'],
      Object.entries(TIME_PRECISION).map(([prec, precision]) => line(prec, code(precision))),
    ),
  }

  const page = readFileSync(new URL('../../../../docs/importing.md', import.meta.url), 'utf8')

  const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

  suite('docs/importing.md agrees with the code', () => {
    for (const [name, text] of Object.entries(TABLES)) {
      test(name, () => assert.ok(oneLine(page).includes(oneLine(text)), `the page should have:\n${text}`))
    }

    test('every count and every option of the command is explained', () => {
      for (const outcome of OUTCOMES) assert.match(page, new RegExp(`^\\| \`${outcome}\` \\|`, 'm'))
      for (const [option] of USAGE.matchAll(/--[a-z-]+(?=[ …])/g)) {
        const setting = option.slice(2).replaceAll('-', '_').toUpperCase()
        assert.ok(page.includes(option) || page.includes(`\`${setting}\``), option)
      }
    })

    test('every format has its section, and every field is mentioned', () => {
      for (const format of Object.keys(FORMATS)) assert.match(page, new RegExp(`^## \`${format}\``, 'm'))
      for (const field of FIELDS) assert.ok(page.includes(`\`${field}\``), field)
    })
  })
})
