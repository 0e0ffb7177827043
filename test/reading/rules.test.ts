import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIONS, ACTORS } from '../../src/reading/actors-and-actions.ts'
import { readCasualties } from '../../src/reading/casualties.ts'
import { CASUALTY_RULES, DOUBTS } from '../../src/reading/casualty-rules.ts'
import { RECAP } from '../../src/reading/passages.ts'
import { HAPPENED, OTHER_TOPICS } from '../../src/reading/relevance.ts'
import { DATE_RULES, readTime } from '../../src/reading/time.ts'
import { classify, TYPE_RULES } from '../../src/reading/type-rules.ts'

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
