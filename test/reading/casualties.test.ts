import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACTIONS, ACTORS } from '../../src/reading/actors-and-actions.ts'
import { readCasualties, settleCasualties } from '../../src/reading/casualties.ts'
import { CASUALTY_RULES, DOUBTS, readNumber } from '../../src/reading/casualty-rules.ts'
import { RECAP } from '../../src/reading/passages.ts'
import { HAPPENED, OTHER_TOPICS } from '../../src/reading/relevance.ts'
import { DATE_RULES, readTime } from '../../src/reading/time.ts'
import { classify, TYPE_RULES } from '../../src/reading/type-rules.ts'

/** Killed, injured, abducted; null where the text does not say. */
const SENTENCES: readonly (readonly [
  text: string,
  killed: number | null,
  injured: number | null,
  abducted: number | null,
])[] = [
  ['Gunmen killed three people and injured five others in Jos', 3, 5, null],
  ['At least twenty-five villagers were killed, 12 wounded', 25, 12, null],
  ['Bandits kill three soldiers, seven civilians in Anka', 10, null, null],
  ['Soldier, 12 others killed in Barkin Ladi', 13, null, null],
  ['No fewer than 40 pupils were abducted from a school', null, null, 40],
  ['The attackers whisked away 15 travellers', null, null, 15],
  ['A policeman was killed at the checkpoint', 1, null, null],
  ['A dozen farmers were killed', 12, null, null],
  ['A 30-year-old woman was killed', 1, null, null],
  ['Gunmen demanded N5 million after kidnapping a doctor', null, null, 1],
  ['They burnt 40 houses and stole 300 cows', null, null, null],
  ['Troops recovered 200 rounds of ammunition', null, null, null],
  ['The insurgency has killed 35,000 people since 2009', null, null, null],
  ['Scores of people were killed in the raid', null, null, null],
  ['The attack left four people dead', 4, null, null],
  ["'Yan bindiga sun kashe mutum 12 a Birnin Gwari", 12, null, null],
  ['On 12 May 2021 gunmen attacked the village', null, null, null],
  ['Two priests among 16 villagers killed in Benue', 16, null, null],
  ["Boko Haram 'beheads' seven in a village", 7, null, null],
  ["Islamists kill 'at least 21' in a town", 21, null, null],
  ['Death toll from a market blast in the northeast of the country rises to 45', 45, null, null],
  ['The police killed the AK-47 story: two died', 2, null, null],
]

describe('casualties of', () => {
  for (const [text, killed, injured, abducted] of SENTENCES) {
    test(`“${text}”`, () => {
      const { casualties } = settleCasualties(readCasualties({ text, start: 0, end: text.length }), false)
      assert.deepEqual(casualties, { killed, injured, abducted })
    })
  }
})

test('a later toll replaces an earlier number', () => {
  const read = (text: string) => readCasualties({ text, start: 0, end: text.length })
  const counts = [...read('Ten killed in a blast'), ...read('Death toll rises to 14')]
  assert.equal(settleCasualties(counts, false).casualties.killed, 14)
})

test('the number of most sentences counts, doubtful ones less', () => {
  const settle = (texts: readonly string[], retold = false) => {
    const counts = texts.flatMap((text) => readCasualties({ text, start: 0, end: text.length }))
    return settleCasualties(counts, retold).casualties.killed
  }
  assert.equal(settle(['Ten killed in Jos', 'The gunmen killed 12', 'Police say 12 died']), 12)
  assert.equal(settle(['Over 70 feared killed in Jos', 'Gunmen killed 21 in Jos']), 21)
  assert.equal(settle(['63 killed in separate attacks', 'Gunmen killed nine in Jos']), 9)
  assert.equal(settle(['Gunmen killed nine in Jos', 'Gunmen killed ten in Jos']), 9)
  assert.equal(settle(['Gunmen killed nine in Jos', 'Gunmen killed ten in Jos'], true), 10)
  assert.equal(settle(['A policeman was killed', 'Gunmen killed ten in Jos']), 10)
})

test('numbers are read in figures and words', () => {
  const numbers = { '1,200': 1200, 'forty-two': 42, 'two dozen': 24, 'a hundred and five': 105, biyar: 5, '0': null }
  for (const [text, value] of Object.entries(numbers)) assert.equal(readNumber(text), value, text)
})

for (const { means, words, example } of [...ACTORS, ...ACTIONS, ...OTHER_TOPICS, ...HAPPENED]) {
  test(`“${example}” has words of: ${means}`, () => assert.match(example, words))
}

for (const { type, example } of TYPE_RULES) {
  test(`“${example}” is ${type}`, () => assert.equal(classify(example)?.type, type))
}

for (const { harm, example } of CASUALTY_RULES) {
  const [text, count] = example
  test(`“${text}” is ${count} ${harm}`, () => {
    const counts = readCasualties({ text, start: 0, end: text.length })
    assert.deepEqual(
      counts.map((each) => [each.harm, each.value]),
      [[harm, count]],
    )
  })
}

test(`“${RECAP.example}” is told again`, () => assert.match(RECAP.example, RECAP.words))

for (const { words, example } of DOUBTS) {
  test(`“${example}” is in doubt`, () => assert.match(example, words))
}

for (const { example } of DATE_RULES) {
  const [text, day] = example
  test(`“${text}” is ${day}`, () => {
    assert.equal(readTime(text, Date.parse('2026-11-11T09:00:00Z'))?.occurred_at.slice(0, 10), day)
  })
}
