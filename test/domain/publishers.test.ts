import assert from 'node:assert/strict'
import { test } from 'node:test'
import { independentSources } from '../../src/domain/confidence.ts'
import { PUBLISHERS, publisherKey, reliabilityFrom, SOURCE_CLASSES } from '../../src/domain/publishers.ts'

const reliability = reliabilityFrom()

test('a publisher is known by its name, however it is written', () => {
  for (const name of [
    'Punch',
    'the punch',
    'PUNCH Newspapers',
    'Punch Online',
    'punchng.com',
    'https://www.punchng.com/',
  ]) {
    assert.equal(publisherKey(name), 'punch', name)
  }
  assert.notEqual(publisherKey('Daily Trust'), publisherKey('Daily Post'))
  assert.equal(publisherKey('صحيفة'), 'صحيفة')
})

test('no publisher is listed twice', () => {
  const first = Object.values(PUBLISHERS).flatMap((publishers) => publishers.map(([name]) => name!))
  assert.equal(new Set(first.map(publisherKey)).size, first.length)
  for (const kind of SOURCE_CLASSES) {
    for (const names of PUBLISHERS[kind] ?? []) {
      for (const name of names)
        assert.deepEqual([reliability(name), publisherKey(name)], [kind, publisherKey(names[0]!)])
    }
  }
})

test("an operator's table goes before the built-in one, and before what a report says of its source", () => {
  const edited = reliabilityFrom([
    ['THE PUNCH', 'local'],
    ['Village Voice', 'national'],
    ['Ministry of Rumours', 'social'],
  ])
  assert.equal(edited('punchng.com'), 'local')
  assert.equal(edited('village voice'), 'national')
  assert.equal(edited('Vanguard'), 'national')
  assert.equal(edited('Nobody'), 'unknown')
  const rumour = { publisher: 'Ministry of Rumours', url: null, official: true }
  assert.deepEqual(independentSources([rumour], edited), ['social'])
  assert.deepEqual(independentSources([rumour], reliability), ['official'])
})
