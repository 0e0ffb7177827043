import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { acled } from '../../../../../src/desk/importing/formats/acled/acled.ts'
import { judgeNotes, STRATEGIC_NOTES } from '../../../../../src/desk/importing/formats/acled/acled-notes.ts'
import type { IncidentType } from '../../../../../src/domain/taxonomy.ts'
import { acledRow, type Cells, csvOf } from '../fixtures.ts'
import { reportIn, rowOf } from '../reading.ts'

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
