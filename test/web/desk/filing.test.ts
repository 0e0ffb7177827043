import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extract } from '../../../src/reading/extract.ts'
import { candidateLabel, choiceLabel, filledFrom, placeFields, wordsFor } from '../../../web/desk/filing/candidate.ts'
import { changedByHand, EMPTY_FORM, reportBody } from '../../../web/desk/filing/form.ts'

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
