import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Incident, PRECISIONS, TIME_PRECISIONS } from '../../../src/domain/incident.ts'
import {
  duplicateScore,
  LOCATION_UNCERTAINTY_KM,
  MIN_DUPLICATE_SCORE,
  possibleDuplicates,
  SIMILARITY_WEIGHTS,
} from '../../../src/domain/near-duplicate/near-duplicate.ts'
import { significantWords } from '../../../src/domain/near-duplicate/significant-words.ts'
import { TYPE_NAMES } from '../../../src/domain/taxonomy.ts'
import { KM_PER_DEGREE } from '../../../src/lib/geometry/geometry.ts'
import { anIncident } from '../../support/incident.ts'

const KM_NORTH = 1 / KM_PER_DEGREE
const { location, lat } = anIncident()
const first = anIncident(1, { occurred_at: '2026-01-01T00:00:00.000Z' })
const at = (changes: Partial<Incident>) => anIncident(1, { occurred_at: first.occurred_at, ...changes })
const precise = (precision: Incident['location']['precision'], radius_km: number | null) => {
  return { ...location, precision, radius_km }
}

const REACH: [what: string, one: Partial<Incident>, other: Partial<Incident>, compared: boolean][] = [
  ['30 km apart, with 3 km of doubt each', {}, { lat: lat + 30 * KM_NORTH }, true],
  ['32 km apart, with 3 km of doubt each', {}, { lat: lat + 32 * KM_NORTH }, false],
  ['60 km apart, one known to its LGA', { location: precise('lga', 40) }, { lat: lat + 60 * KM_NORTH }, true],
  ['120 km apart, one known to its state', { location: precise('state', null) }, { lat: lat + 120 * KM_NORTH }, true],
  ['49 h apart, both known to the hour', {}, { occurred_at: '2026-01-03T01:00:00Z' }, true],
  ['50 h apart, both known to the hour', {}, { occurred_at: '2026-01-03T02:00:00Z' }, false],
  ['72 h apart, one known to the day', { time_precision: 'day' }, { occurred_at: '2026-01-04T00:00:00Z' }, true],
  ['73 h apart, one known to the day', { time_precision: 'day' }, { occurred_at: '2026-01-04T01:00:00Z' }, false],
]

for (const [what, one, other, compared] of REACH) {
  test(`${what}: ${compared ? 'they are compared' : 'nobody asks'}`, () => {
    assert.equal(duplicateScore(at(one), at(other)) !== null, compared)
  })
}

test('the same incident told by another outlet is likely, another one nearby is not', () => {
  const told = at({
    type: 'banditry',
    lat: lat + 2 * KM_NORTH,
    summary: 'Bandits abduct 11 travellers at Gonin-Gora, Kaduna.',
    casualties: { killed: 0, injured: null, abducted: 12 },
  })
  const nearby = at({
    lat: lat + 14 * KM_NORTH,
    occurred_at: '2026-01-01T20:00:00Z',
    summary: 'A farmer was abducted on his way to the market in Kujama.',
    casualties: { killed: 0, injured: null, abducted: 1 },
  })
  assert.ok(duplicateScore(first, told)! >= MIN_DUPLICATE_SCORE)
  assert.ok(duplicateScore(first, nearby)! < MIN_DUPLICATE_SCORE)
})

test('each likeness raises the score', () => {
  const worse: [keyof typeof SIMILARITY_WEIGHTS, Partial<Incident>][] = [
    ['place', { lat: lat + 10 * KM_NORTH }],
    ['time', { occurred_at: '2026-01-01T12:00:00Z' }],
    ['type', { type: 'protest' }],
    ['words', { summary: 'Students blocked the road over fees.' }],
    ['casualties', { casualties: { killed: null, injured: 0, abducted: 1 } }],
  ]
  assert.deepEqual(
    worse.map(([name]) => name),
    Object.keys(SIMILARITY_WEIGHTS),
  )
  for (const [name, changes] of worse) assert.ok(duplicateScore(first, at(changes))! < 1, name)
})

test('a type of the same category is nearer than any other', () => {
  assert.ok(duplicateScore(first, at({ type: 'hostage_taking' }))! > duplicateScore(first, at({ type: 'protest' }))!)
})

test('what is unknown speaks neither for nor against', () => {
  const unknown = { killed: null, injured: null, abducted: null }
  assert.equal(duplicateScore(first, at({ casualties: unknown, summary: '' })), 1)
})

test('words are compared in plain letters, numbers as figures, without common words and endings', () => {
  const cases: [string, string[]][] = [
    ['Eleven people were killed in Jos, Plateau State.', ['11', 'kill', 'jos', 'plateau']],
    ['11 killings at JOS', ['11', 'killing', 'jos']],
    ['Ɗan Ƙasa, Ìbàdàn and Jema’a LGA', ['dan', 'kasa', 'ibadan', 'jemaa']],
    ['Gunmen attacked villages', ['gunmen', 'attack', 'village']],
    ['at Oyo, Aba, Ife', ['oyo', 'aba', 'ife']],
    ['the of and', []],
  ]
  for (const [summary, words] of cases) assert.deepEqual([...significantWords(summary)], words)
})

const count = fc.option(fc.integer({ min: 0, max: 12 }))
const incident = fc
  .record({
    type: fc.constantFrom(...TYPE_NAMES),
    lat: fc.double({ min: 10, max: 10.8, noNaN: true }),
    lng: fc.double({ min: 7, max: 7.8, noNaN: true }),
    location: fc.record({
      precision: fc.constantFrom(...PRECISIONS),
      radius_km: fc.option(fc.double({ min: 0, max: 60, noNaN: true })),
    }),
    occurred_at: fc.integer({ min: 0, max: 90 }).map((hours) => new Date(hours * 3_600_000).toISOString()),
    time_precision: fc.constantFrom(...TIME_PRECISIONS),
    summary: fc.array(fc.constantFrom('gunmen', 'Jos', 'killed', 'eleven', 'the', 'Oyo'), { maxLength: 6 }),
    casualties: fc.record({ killed: count, injured: count, abducted: count }),
  })
  .map(({ summary, ...rest }) => ({ ...rest, summary: summary.join(' ') }))

test('the score is the same both ways, from 0 to 1, and 1 for the same', () => {
  fc.assert(
    fc.property(incident, incident, (one, other) => {
      const score = duplicateScore(one, other)
      assert.equal(duplicateScore(other, one), score)
      assert.ok(score === null || (score >= 0 && score <= 1))
      assert.equal(duplicateScore(one, structuredClone(one)), 1)
    }),
  )
})

test('the five likeliest come back, likeliest first, and none below the least', () => {
  const others = [9, 21, 1, 17, 5, 25, 13].map((km) => at({ id: `${km}`, lat: lat + km * KM_NORTH }))
  const found = possibleDuplicates(first, [...others, at({ id: 'far', lat: lat + 2 })])
  assert.deepEqual(
    found.map(({ incident: { id } }) => id),
    ['1', '5', '9', '13', '17'],
  )
  assert.deepEqual(
    possibleDuplicates(first, others, 0.99).map(({ incident: { id } }) => id),
    ['1'],
  )
  assert.deepEqual(possibleDuplicates(first, []), [])
})

test('docs/reports.md has the same weights and radii', async () => {
  const page = await readFile(new URL('../../../docs/reports.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith('Near-duplicates'))!
  const weights = [...section.matchAll(/^\| (\w+) \| 0\.(\d\d) \|/gm)].map(([, name, weight]) => [name, Number(weight)])
  assert.deepEqual(weights, Object.entries(SIMILARITY_WEIGHTS))
  const radii = Object.entries(LOCATION_UNCERTAINTY_KM).map(([precision, radius]) => `${precision} ${radius} km`)
  assert.ok(section.includes(radii.join(', ')))
  assert.ok(section.includes(`${MIN_DUPLICATE_SCORE}`))
})
