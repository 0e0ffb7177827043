import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { COMPARISONS, MATCH_WEIGHTS } from '../../../src/domain/near-duplicates.ts'
import { extract } from '../../../src/reading/extract.ts'
import { correctionOf, formOf } from '../../../web/desk/facts-form.ts'
import {
  candidateLabel,
  changedByHand,
  choiceLabel,
  EMPTY_FORM,
  filledFrom,
  placeFields,
  reportBody,
  wordsFor,
} from '../../../web/desk/filing.ts'
import { matchWords, passagesIn } from '../../../web/desk/words.ts'
import { aDeskIncident } from './a-desk-incident.ts'

describe('a correction', () => {
  const incident = aDeskIncident(1, { occurred_at: '2026-05-01T23:30:00Z', time_precision: 'hour' })
  const form = formOf(incident)

  it('shows times as in Lagos', () => assert.deepEqual([form.date, form.time], ['2026-05-02', '00:30']))

  it('is nothing if nothing was changed, a note aside', () => {
    assert.equal(correctionOf(form, form), null)
    assert.equal(correctionOf(form, { ...form, note: 'why' }), null)
  })

  const cases: [string, Partial<typeof form>, object][] = [
    ['one figure', { killed: '3' }, { casualties: { killed: 3 } }],
    ['a figure that is not known after all', { killed: '' }, { casualties: { killed: null } }],
    [
      'the place, which is replaced as a whole',
      { place: 'Kujama' },
      { place: 'Kujama', lga: form.lga, state: form.state },
    ],
    ['the time', { time: '01:15' }, { occurred_at: '2026-05-02T01:15:00+01:00', time_precision: 'hour' }],
    ['the confidence', { confidence: '60', note: 'seen by us' }, { confidence: 0.6, note: 'seen by us' }],
  ]
  for (const [name, changes, body] of cases) {
    it(`sends ${name}`, () => {
      const before = name.includes('after all') ? { ...form, killed: '2' } : form
      assert.deepEqual(correctionOf(before, { ...form, ...changes }), body)
    })
  }
})

describe('the words that fields were read from', () => {
  const marked = (text: string, place: string) => {
    const incident = aDeskIncident(1)
    const shown = {
      ...incident,
      location: { ...incident.location, place },
      casualties: { killed: 3, injured: null, abducted: 18 },
    }
    return passagesIn(text, shown).flatMap((passage) => (passage.field === null ? [] : [passage.text]))
  }

  it('are names of the place and numbers of casualties, as whole words', () => {
    const text = 'Gonin-Gora: three killed, 18 abducted, 180 fled; threefold.'
    assert.deepEqual(marked(text, 'Gonin Gora'), ['Gonin-Gora', 'three', '18'])
  })

  it('a name with signs of a pattern is only a name', () => {
    assert.deepEqual(marked('At (a+)+ nobody was hurt', '(a+)+'), ['(a+)+'])
  })

  it('nothing is lost of the text', () => {
    const text = 'x three y 18 z'
    assert.equal(
      passagesIn(text, aDeskIncident(1))
        .map((passage) => passage.text)
        .join(''),
      text,
    )
  })
})

describe('why two reports may be one incident', () => {
  it('names what speaks for it and what against it, the strongest first', () => {
    const words = matchWords([
      { reason: 'place_name', finding: 'same', weight: 4 },
      { reason: 'casualties', finding: 'contradict', weight: -2.5 },
      { reason: 'time', finding: 'same_day', weight: 2 },
      { reason: 'type', finding: 'related', weight: 0 },
    ])
    assert.deepEqual(words, {
      for: ['the same place name', 'the same day'],
      against: ['casualties that contradict'],
    })
  })

  it('has words for every finding that weighs', () => {
    for (const reason of COMPARISONS) {
      for (const [finding, weight] of Object.entries(MATCH_WEIGHTS[reason])) {
        const { for: speaks, against } = matchWords([{ reason, finding, weight } as never])
        assert.equal(speaks.length + against.length, weight === 0 ? 0 : 1, `${reason}: ${finding}`)
      }
    }
  })
})

const STORY = 'Bandits on Sunday at about 2am killed nine people in Maradun, Zamfara State.'
const [candidate] = extract({ text: STORY, published_at: '2026-11-11' })

test('a candidate fills in the form, in the time of Nigeria', () => {
  const { type, date, time, state, killed, injured, text } = filledFrom(candidate!, STORY, EMPTY_FORM)
  assert.deepEqual(
    { type, date, time, state, killed, injured, text },
    { type: 'banditry', date: '2026-11-08', time: '02:00', state: 'Zamfara', killed: '9', injured: '', text: STORY },
  )
  assert.equal(wordsFor('killed', candidate!), 'killed nine')
  assert.equal(wordsFor('abducted', candidate!), null)
})

test('what another candidate had filled in does not remain, the words of the editor do', () => {
  const before = { ...EMPTY_FORM, abducted: '4', place: 'Gusau', text: 'My words' }
  const { abducted, place, text } = filledFrom(candidate!, STORY, before)
  assert.deepEqual([abducted, place, text], ['', 'Maradun', 'My words'])
})

test('the precision of the story is sent until the time is changed by hand', () => {
  const filled = filledFrom(candidate!, STORY, EMPTY_FORM)
  const body = reportBody(filled) as Record<string, unknown>
  assert.deepEqual([body.occurred_at, body.time_precision], ['2026-11-08T02:00:00+01:00', 'hour'])
  assert.equal('time_precision' in reportBody(changedByHand(filled, 'time', '02:10')), false)
  assert.equal('time_precision' in reportBody(changedByHand(filled, 'killed', '3')), true)
})

test('a town of the name of its LGA is named, the LGA itself is not named twice', () => {
  const ifelodun = { name: 'Ifelodun', lga: 'Ifelodun', state: 'Osun' }
  assert.equal(placeFields({ ...ifelodun, precision: 'lga' }).place, '')
  assert.equal(placeFields({ ...ifelodun, precision: 'settlement' }).place, 'Ifelodun')
  const [asked] = extract({ text: 'Gunmen abducted a doctor in Ifelodun.' })
  assert.equal(candidateLabel(asked!), 'Kidnapping, Ifelodun')
  assert.equal(candidateLabel(candidate!), 'Banditry, Maradun, Zamfara')
  assert.ok(asked!.place_choices.map(choiceLabel).includes('Ifelodun LGA, Osun'))
})
