import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSON } from '../../../src/demo/tables/people.ts'
import { opening, template } from '../../../src/demo/text/template.ts'
import { alsoSuffered, counted, doing, HARMS, leaving, suffering } from '../../../src/demo/text/words.ts'

const FARMER = ['farmer', 'farmers'] as const
const toll = (killed: number | null, injured: number | null, abducted: number | null) => ({ killed, injured, abducted })

test('one is a farmer or one person, ten are a figure', () => {
  assert.deepEqual(
    [
      counted(1, FARMER),
      counted(1, ['officer', 'officers']),
      counted(1, PERSON),
      counted(9, FARMER),
      counted(10, FARMER),
    ],
    ['a farmer', 'an officer', 'one person', 'nine farmers', '10 farmers'],
  )
})

test('what attackers did is a list', () => {
  assert.equal(doing(toll(2, 1, 12), HARMS, FARMER), ', killing two farmers, injuring another and abducting 12 more')
  assert.equal(doing(toll(null, 1, 0), HARMS, FARMER), ', injuring one farmer')
  assert.equal(doing(toll(null, null, 0), HARMS, FARMER), '')
})

test('what a clash left behind is a list', () => {
  assert.equal(leaving(toll(1, 3, null), FARMER), ', leaving one farmer dead and three others injured')
  assert.equal(leaving(toll(0, null, null), FARMER), '')
})

test('what people suffered has its verbs right', () => {
  assert.equal(suffering(toll(1, 3, null), HARMS, FARMER), 'one farmer was killed and three others were injured')
  assert.equal(
    suffering(toll(9, 1, 1), HARMS, FARMER),
    'nine farmers were killed, another was injured and one more was abducted',
  )
  assert.equal(alsoSuffered(toll(3, 1, null), ['injured'], true), 'One other person was injured.')
})

test('a sentence never begins with a figure', () => {
  assert.equal(opening('12 farmers'), 'At least 12 farmers')
  assert.equal(opening('three farmers'), 'Three farmers')
})

test('a template refuses a slot that nobody fills', () => {
  assert.throws(() => template('{nobody} came', {}), /no such slot: \{nobody\}/)
})
