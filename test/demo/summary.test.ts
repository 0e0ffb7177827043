import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERSON } from '../../src/demo/phrases.ts'
import {
  actingClause,
  countedNoun,
  furtherCasualties,
  HARMS,
  leavingClause,
  opening,
  passiveClause,
  template,
} from '../../src/demo/summary.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { type IncidentType, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { places } from '../../src/geo/places.ts'
import { TEN_YEARS } from './small-places.ts'

const incidents = [...syntheticIncidents({ places, seed: 3, count: 20_000, ...TEN_YEARS })]

test('each summary is marked, and neither too short nor too long', () => {
  for (const { summary } of incidents) {
    assert.ok(summary.startsWith('[Synthetic] '), summary)
    assert.ok(summary.length >= 80 && summary.length <= 260, `${summary.length}: ${summary}`)
  }
})

test('each is one or two whole sentences', () => {
  for (const { summary } of incidents) {
    assert.match(summary.slice('[Synthetic] '.length), /^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/)
  }
})

const MISTAKES = [
  /(?<!')\ba [aeiou]/i,
  /(?<!')\ban [^aeiou]/i,
  /[{}]/,
  / {2}/,
  / [,.]/,
  /,,/,
  /\b(\w+) \1\b/i,
  /\b(?<!no )one (\w+s|people|men|women|thieves)\b/i,
  /\b(two|three|four|five|six|seven|eight|nine|\d\d+) (\w+ )?(person|was|resident|farmer|villager|traveller)\b/i,
  /undefined|null|NaN/,
]

test('no summary has a mistake that a pattern can find', () => {
  for (const { summary } of incidents) {
    for (const mistake of MISTAKES) assert.doesNotMatch(summary, mistake)
  }
})

test('a number known to be above zero is in the summary', () => {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
  for (const { summary, casualties } of incidents) {
    for (const number of Object.values(casualties)) {
      if (!number) continue
      const mentioned = number === 1 ? '(one|an?|another)' : (words[number] ?? String(number))
      assert.match(summary, new RegExp(`\\b${mentioned}\\b`, 'i'))
    }
  }
})

test('a summary names the state, and the place or the LGA where one is known, unless it would become too long', () => {
  let vague = 0
  for (const { summary, state, lga, location } of incidents) {
    assert.ok(summary.includes(state), summary)
    if (lga && !summary.includes(lga) && !summary.includes(location.place ?? lga)) vague++
  }
  assert.ok(vague < incidents.length / 500, String(vague))
})

test('every type has several openings', () => {
  const beginnings = new Map<IncidentType, Set<string>>()
  for (const { type, summary } of incidents) {
    const known = beginnings.get(type) ?? new Set()
    beginnings.set(type, known.add(summary.slice(0, 25)))
  }
  for (const type of TYPE_NAMES) assert.ok(beginnings.get(type)!.size > 2, type)
})

describe('words', () => {
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
})
