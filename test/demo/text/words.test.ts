import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSON } from '../../../src/demo/phrases.ts'
import {
  actingClause,
  countedNoun,
  furtherCasualties,
  HARMS,
  leavingClause,
  opening,
  passiveClause,
  template,
} from '../../../src/demo/summary.ts'

const FARMER = ['farmer', 'farmers'] as const
const casualties = (killed: number | null, injured: number | null, abducted: number | null) => ({
  killed,
  injured,
  abducted,
})

test('one is a farmer or one person, ten are a figure', () => {
  assert.deepEqual(
    [
      countedNoun(1, FARMER),
      countedNoun(1, ['officer', 'officers']),
      countedNoun(1, PERSON),
      countedNoun(9, FARMER),
      countedNoun(10, FARMER),
    ],
    ['a farmer', 'an officer', 'one person', 'nine farmers', '10 farmers'],
  )
})

test('actingClause lists the harms done', () => {
  assert.equal(
    actingClause(casualties(2, 1, 12), HARMS, FARMER),
    ', killing two farmers, injuring another and abducting 12 more',
  )
  assert.equal(actingClause(casualties(null, 1, 0), HARMS, FARMER), ', injuring one farmer')
  assert.equal(actingClause(casualties(null, null, 0), HARMS, FARMER), '')
})

test('leavingClause lists the dead and injured', () => {
  assert.equal(leavingClause(casualties(1, 3, null), FARMER), ', leaving one farmer dead and three others injured')
  assert.equal(leavingClause(casualties(0, null, null), FARMER), '')
})

test('passiveClause uses the right verb forms', () => {
  assert.equal(
    passiveClause(casualties(1, 3, null), HARMS, FARMER),
    'one farmer was killed and three others were injured',
  )
  assert.equal(
    passiveClause(casualties(9, 1, 1), HARMS, FARMER),
    'nine farmers were killed, another was injured and one more was abducted',
  )
  assert.equal(furtherCasualties(casualties(3, 1, null), ['injured'], true), 'One other person was injured.')
})

test('a sentence never begins with a figure', () => {
  assert.equal(opening('12 farmers'), 'At least 12 farmers')
  assert.equal(opening('three farmers'), 'Three farmers')
})

test('a template with an unknown placeholder throws', () => {
  assert.throws(() => template('{nobody} came', {}), /unknown placeholder: \{nobody\}/)
})
